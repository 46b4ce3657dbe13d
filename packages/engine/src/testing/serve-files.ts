import { join } from "node:path";
import { after } from "node:test";
import { temporaryFolder, type Files } from "@weft/shared/testing/temporary-folder.ts";
import type { EngineOptions } from "../app/engine-options.ts";
import { openTestEngine } from "./open-test-engine.ts";
import { ScriptedExecutor, type Program } from "./scripted-executor.ts";

interface Served extends Partial<EngineOptions> {
  /** The programs of jobs, unless the test brings an executor. */
  readonly programs?: Readonly<Record<string, Program>>;
  /** Names of folders with files that become data folders. */
  readonly data?: readonly string[];
}

/**
 * An engine on a new folder with these files, whose jobs are functions. `restart` ends it, and opens another one on
 * its folder. The last one stops after the test, or the tests of the file, for which it was opened.
 */
export async function serveFiles(files: Files, { programs, data = [], ...more }: Served = {}) {
  const root = temporaryFolder({ "catalog/": "", ...files });
  const options: Partial<EngineOptions> = {
    executor: new ScriptedExecutor(programs),
    container: "none",
    dataFolders: Object.fromEntries(data.map((name) => [name, join(root, name)])),
    ...more,
  };
  let engine = await openTestEngine(root, options);
  after(() => engine.stop("cancel"));
  const restart = async (mode: Parameters<typeof engine.stop>[0] = "detach") => {
    await engine.stop(mode);
    return (engine = await openTestEngine(root, options));
  };
  return { root, engine, restart };
}
