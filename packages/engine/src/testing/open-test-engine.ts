import { join } from "node:path";
import type { Files } from "@weft/shared/testing/temporary-folder.ts";
import type { Engine } from "../port/engine.ts";
import { openEngine } from "../app/open-engine.ts";
import type { EngineOptions } from "../app/engine-options.ts";

/**
 * A silent engine on the folders `state` and `catalog` below `root`, which it never syncs; the test stops it. The log
 * is a file even so: threads that answer queries open it, too. Jobs are processes unless `executor` is a
 * `ScriptedExecutor`.
 */
export function openTestEngine(root: string, more: Partial<EngineOptions> = {}): Promise<Engine> {
  return openEngine({
    version: "test",
    stateFolder: join(root, "state"),
    syncs: false,
    catalogFolder: join(root, "catalog"),
    dataFolders: {},
    jobs: undefined,
    maxUploadBytes: 1000,
    log: () => {},
    ...more,
  });
}

/** Tools of a catalog by their ids, all in version 1.0.0. */
export function toolFiles(tools: Readonly<Record<string, string>>): Files {
  return Object.fromEntries(Object.entries(tools).map(([id, text]) => [`catalog/tools/${id}/1.0.0/${id}.cwl`, text]));
}
