import type { ContainerEngine } from "./container-engine.ts";

/** The version of the interface; the server brings and runs the image by its own means. */
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
