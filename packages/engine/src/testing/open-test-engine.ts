import { join } from "node:path";
import type { Engine } from "../port/engine.ts";
import { openEngine } from "../app/open-engine.ts";
import type { EngineOptions } from "../app/engine-options.ts";

/** A silent engine on the folders `state` and `catalog` below `root`; the test stops it. */
export function openTestEngine(root: string, more: Partial<EngineOptions> = {}): Promise<Engine> {
  return openEngine({
    version: "test",
    stateFolder: join(root, "state"),
    catalogFolder: join(root, "catalog"),
    dataFolders: {},
    jobs: undefined,
    maxUploadBytes: 1000,
    log: () => {},
    ...more,
  });
}
