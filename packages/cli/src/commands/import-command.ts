import { createReadStream, statSync } from "node:fs";
import { resolve } from "node:path";
import { importIntoFolder } from "@weft/engine/provenance/import/import-into-folder.ts";
import { StateFolderBusy } from "@weft/engine/journal/state-folder-unusable.ts";
import { EXIT } from "../exit/exit-codes.ts";
import type { Settings } from "../settings/read-settings.ts";
import { importByServer } from "./send-crate.ts";
import { refusedByState } from "../server/refused-by-state.ts";
import { UsageError } from "../exit/usage-error.ts";

/** Imports a run of another server from its crate, with the server that has the state folder or without one. */
export async function importCommand(settings: Settings): Promise<number> {
  const [crate = ""] = settings.positionals;
  const found = statSync(crate, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`there is no crate at ${crate}`);
  try {
    const runId = await importInto(resolve(settings.text("state") ?? ".weft"), resolve(crate), found.isDirectory());
    process.stdout.write(`${runId}\n`);
    return EXIT.success;
  } catch (error) {
    return refusedByState(error);
  }
}

async function importInto(stateFolder: string, crate: string, isFolder: boolean): Promise<string> {
  process.umask(0o077);
  try {
    return await importIntoFolder({
      stateFolder,
      principal: "local",
      crate: isFolder ? { kind: "folder", path: crate } : { kind: "zip", content: createReadStream(crate) },
      // Whoever may write to the folder may fill the disk anyway.
      maxBytes: Number.MAX_SAFE_INTEGER,
    });
  } catch (error) {
    if (!(error instanceof StateFolderBusy)) throw error;
    return importByServer(stateFolder, crate);
  }
}
