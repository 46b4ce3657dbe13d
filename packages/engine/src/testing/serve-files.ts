import { join } from "node:path";
import { after } from "node:test";
import { temporaryFolder, type Files } from "@weft/shared/testing/temporary-folder.ts";
import type { EngineOptions } from "../app/engine-options.ts";
import { openTestEngine } from "./open-test-engine.ts";
import { ScriptedExecutor, type Program } from "./scripted-executor.ts";

interface OnFiles extends Partial<EngineOptions> {
  /** Names of folders with files that become data folders. */
  readonly data?: readonly string[];
}

/**
 * A test engine on a new folder with these files. `restart` ends it, and opens another one on its folder. The last one
 * stops after the test, or the tests of the file, for which it was opened.
 */
export async function openEngineOn(files: Files, { data = [], ...more }: OnFiles = {}) {
  const root = temporaryFolder({ "catalog/": "", ...files });
  const dataFolders = Object.fromEntries(data.map((name) => [name, join(root, name)]));
  const open = () => openTestEngine(root, { dataFolders, ...more });
  let engine = await open();
  after(() => engine.stop("cancel"));
  const restart = async (mode: Parameters<typeof engine.stop>[0] = "detach") => {
    await engine.stop(mode);
    return (engine = await open());
  };
  return { root, engine, restart };
}

interface Served extends OnFiles {
  /** The programs of jobs, unless the test brings an executor. */
  readonly programs?: Readonly<Record<string, Program>>;
}

/** An engine on these files, whose jobs are functions. */
export const serveFiles = (files: Files, { programs, ...more }: Served = {}) =>
  openEngineOn(files, { executor: new ScriptedExecutor(programs), container: "none", ...more });
