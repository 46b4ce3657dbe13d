import type { Prune, PruneReport } from "@weft/shared/records/storage-record.ts";
import { DownloadStore } from "../files/remote/download-store.ts";
import type { OpenLog } from "../journal/journal.ts";
import type { Log } from "../log.ts";
import { openStateFolder } from "../state/state-folder.ts";
import type { PruneAsker } from "./prune-order.ts";
import { Retention } from "./retention.ts";

/** Prunes without a server and locks the state folder meanwhile. Rejects with StateFolderBusy if a server holds it. */
export async function pruneFolder(
  stateFolder: string,
  body: Prune,
  { asker, log, openLog }: { readonly asker: PruneAsker; readonly log: Log; readonly openLog: OpenLog },
): Promise<PruneReport> {
  const state = await openStateFolder(stateFolder);
  try {
    const journal = await openLog(state.database, "full", log);
    const { runs: runsFolder, uploads: uploadsFolder } = state;
    const downloads = new DownloadStore(state.downloads);
    const retention = new Retention({ journal, runsFolder, uploadsFolder, downloads, log });
    return await retention.prune(body, asker).finally(async () => {
      await retention.close();
      await journal.close();
    });
  } finally {
    state.unlock();
  }
}
