import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { undefinedIfMissing } from "../../files/beneath/undefined-if-missing.ts";
import type { LogReader } from "../../journal/log-reader.ts";

const UUID = /^[0-9a-f-]{36}$/;
/** The file in the folder of an import with the id of the run. */
export const RUN_NOTE = "run-id";

export interface ImportFolders {
  readonly importsFolder: string;
  readonly runsFolder: string;
  readonly read: LogReader;
}

/**
 * Removes the files of interrupted imports: unpacked crates, and run folders that are not in the log. Call this before
 * any import.
 */
export async function clearImports({ importsFolder, ...places }: ImportFolders): Promise<void> {
  for (const name of (await readdir(importsFolder).catch(undefinedIfMissing)) ?? [])
    await clearImport(join(importsFolder, name), places);
}

/** Removes the folder of one import. */
export async function clearImport(
  folder: string,
  { runsFolder, read }: Omit<ImportFolders, "importsFolder">,
): Promise<void> {
  const runId = await readFile(join(folder, RUN_NOTE), "utf8").catch(undefinedIfMissing);
  // An empty note leads nowhere: the folder of all runs is not the folder of a run.
  if (runId !== undefined && UUID.test(runId) && read.run(runId) === undefined)
    await rm(join(runsFolder, runId), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
