import { join } from "node:path";
import { after } from "node:test";
import { temporaryFolder, type Files } from "@weft/shared/testing/temporary-folder.ts";
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

/** A test engine on a temporary folder with these files. It stops after the tests of the file or group that opens it. */
export async function openEngineOn(files: Files, more: Partial<EngineOptions> = {}) {
  const root = temporaryFolder({ "catalog/": "", ...files });
  const engine = await openTestEngine(root, more);
  after(() => engine.stop("cancel"));
  return { root, engine };
}

/** Tools of a catalog by their ids, all in version 1.0.0. */
export function toolFiles(tools: Readonly<Record<string, string>>): Files {
  return Object.fromEntries(Object.entries(tools).map(([id, text]) => [`catalog/tools/${id}/1.0.0/${id}.cwl`, text]));
}
