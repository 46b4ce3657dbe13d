import type { ContainerEngine } from "./container-engine.ts";

/** The version of the API; the server provides and runs the image itself. */
export const TASK_VERSION = "1.1";

/**
 * Containers run by a TES server, which fetches images itself. The command is the job's own, without a wrapper of this
 * machine.
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
