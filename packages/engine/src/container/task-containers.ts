import type { ContainerEngine } from "./container-engine.ts";

/** Of the interface: what brings the image and runs it is the server's own. */
export const TASK_VERSION = "1.1";

/**
 * Containers that a TES server runs. It fetches images by itself, and the command is the job's own: nothing of this machine stands
 * around it.
 */
export const TASK_CONTAINERS: ContainerEngine = {
  kind: "tes",
  probe: () => Promise.resolve({ works: true, version: TASK_VERSION }),
  findImage: ({ name }) => Promise.resolve({ name, reference: name, digest: null }),
  fetchImage: ({ name }) => Promise.resolve({ name, reference: name, digest: null }),
  command: ({ argv, env }) => ({ argv, env }),
  ownFailure: () => undefined,
  containers: () => Promise.resolve([]),
  remove: () => Promise.resolve(),
};
