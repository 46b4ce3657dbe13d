import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import type { OpenLog } from "../../journal/journal.ts";
import { RunIds } from "../../runs/begin/run-ids.ts";
import { openStateFolder } from "../../state/state-folder.ts";
import { clearImports } from "./clear-imports.ts";
import { importCrate } from "./import-crate.ts";
import type { CrateToImport } from "../../port/engine.ts";

export interface ImportInto {
  readonly stateFolder: string;
  readonly principal: string;
  readonly crate: CrateToImport;
  readonly maxBytes: number;
  readonly openLog: OpenLog;
}

/** Imports without a server and locks the state folder meanwhile. Rejects with StateFolderBusy if a server holds it. */
export async function importIntoFolder(into: ImportInto): Promise<string> {
  const { stateFolder, principal, crate, maxBytes, openLog } = into;
  const state = await openStateFolder(stateFolder);
  try {
    const journal = await openLog(state.database, "full");
    try {
      const folders = { importsFolder: state.imports, runsFolder: state.runs };
      await clearImports({ ...folders, read: journal.read });
      const ids = new RunIds(journal.read.newestRunId());
      return await importCrate(principal, crate, { journal, ids, ...folders, maxBytes, limits: DEFAULT_LIMITS });
    } finally {
      await journal.close();
    }
  } finally {
    state.unlock();
  }
}
