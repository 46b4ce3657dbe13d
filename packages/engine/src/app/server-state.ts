import { resolve } from "node:path";
import { openServerFiles } from "../access/open-server-files.ts";
import type { ServerFolders } from "../access/open-server-files.ts";
import type { AllowedRoots } from "../access/allowed-roots.ts";
import type { DiskAccess } from "../access/disk-access.ts";
import type { Journal } from "../journal/journal.ts";
import { openSqliteJournal } from "../journal/sqlite-journal.ts";
import { storageProblemText } from "../journal/storage/storage-problem.ts";
import type { Log } from "../log.ts";
import type { JobSandbox } from "../sandbox/job-sandbox.ts";
import { openStateSandbox } from "../sandbox/state-sandbox.ts";
import { openStateFolder } from "../state/state-folder.ts";
import type { StateFolder } from "../state/state-folder.ts";
import type { EngineOptions } from "./engine-options.ts";

/** What a server keeps on disk, and who may read it. */
export interface ServerState {
  readonly folder: StateFolder;
  readonly jobSandbox: JobSandbox;
  readonly journal: Journal;
  /** Resolves with a message when the journal can no longer be written. */
  readonly failed: Promise<string>;
  readonly serverFolders: ServerFolders;
  readonly roots: AllowedRoots;
  readonly access: DiskAccess;
}

type StateOptions = Pick<
  EngineOptions,
  "stateFolder" | "sharedFolder" | "catalogFolder" | "dataFolders" | "jobSandbox" | "log"
>;

/** Rejects if another server holds the state folder, or with SandboxUnusable. */
export async function openServerState(options: StateOptions): Promise<ServerState> {
  const { catalogFolder, jobSandbox: setting, log } = options;
  const dataFolders = resolveAll(options.dataFolders);
  const catalog = resolve(catalogFolder);
  const data = [catalog, ...Object.values(dataFolders)];
  const folder = await openStateFolder(options.stateFolder, options.sharedFolder);
  const jobSandbox = await openStateSandbox(folder, { setting, kept: data, log });
  const journal = await openSqliteJournal(folder.database, "full");
  const { root, runs, uploads, wesDocuments, downloads, imports } = folder;
  const serverFolders: ServerFolders = {
    roots: { ...dataFolders, catalog, uploads, "wes-documents": wesDocuments, runs },
    places: { data, root, runs, uploads, wesDocuments, downloads, imports },
    near: folder.isNear ? runs : root,
  };
  const { roots, access } = openServerFiles(serverFolders, journal.read);
  return { folder, jobSandbox, journal, failed: watchStorage(journal, log), serverFolders, roots, access };
}

export function resolveAll(folders: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(folders).map(([name, folder]) => [name, resolve(folder)]));
}

/** Logs when the disk fails and recovers; resolves when the journal has failed for good. */
function watchStorage(journal: Journal, log: Log): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  journal.onStorageProblem((storageProblem, message) => {
    if (storageProblem === undefined) log("info", "The log can be written again.");
    else log(storageProblem === "failed" ? "error" : "warn", storageProblemText(storageProblem), { error: message });
    if (storageProblem === "failed") resolve(message);
  });
  return promise;
}
