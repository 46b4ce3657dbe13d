import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openServerFiles, type DiskAccess, type ServerFolders } from "../access/disk-access.ts";
import type { AllowedRoots } from "../access/allowed-roots.ts";
import type { Journal } from "../journal/journal.ts";
import { storageProblemText } from "../journal/storage/storage-problem.ts";
import type { Log } from "../log.ts";
import { openJobSandbox, type JobSandbox } from "../sandbox/job-sandbox.ts";
import { StateFolderBusy } from "../journal/state-folder-unusable.ts";
import { openStateFolder, type StateFolder } from "../state/state-folder.ts";
import type { EngineOptions } from "./engine-options.ts";
import { openLog } from "./open-log.ts";
import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import { runProgram } from "../executor/run-program.ts";
import { sandboxPlaces } from "../sandbox/sandbox-places.ts";

/** Maximum number of attempts to open the state folder. */
const TRIES = 6;
const TRY_EVERY_MS = 500;

/** State of a server on disk, and who may read it. */
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

/** Rejects if another server holds the state folder, or with SandboxUnusable. If it rejects, it holds nothing. */
export async function openServerState(options: EngineOptions): Promise<ServerState> {
  const folder = await openWhenFree(options);
  try {
    return await openIn(folder, options);
  } catch (error) {
    folder.unlock();
    throw error;
  }
}

async function openIn(folder: StateFolder, options: EngineOptions): Promise<ServerState> {
  const { catalogFolder, jobSandbox: setting, syncs: sync = true, log } = options;
  const dataFolders = resolveAll(options.dataFolders);
  const catalog = resolve(catalogFolder);
  const data = [catalog, ...Object.values(dataFolders)];
  const jobSandbox = await openStateSandbox(folder, { setting, kept: data, log });
  const journal = await openLog(folder.database, sync ? "full" : "fast", log);
  const { root, runs, uploads, wesDocuments, downloads, imports } = folder;
  const serverFolders: ServerFolders = {
    roots: { ...dataFolders, catalog, uploads, "wes-documents": wesDocuments, runs },
    places: { data, root, runs, uploads, wesDocuments, downloads, imports },
    near: folder.isNear ? runs : root,
    sync,
  };
  const { roots, access } = openServerFiles(serverFolders, journal.read);
  return { folder, jobSandbox, journal, failed: watchStorage(journal, log), serverFolders, roots, access };
}

/** A short command, such as a prune, or a server that is being killed may still hold the folder. */
async function openWhenFree({ stateFolder, sharedFolder, log }: EngineOptions): Promise<StateFolder> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await openStateFolder(stateFolder, sharedFolder);
    } catch (error) {
      if (!(error instanceof StateFolderBusy) || tries === TRIES) throw error;
      if (tries === 1) log("info", "waiting for another process to release the state folder", { error: error.message });
      await pause(TRY_EVERY_MS);
    }
  }
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

interface StateSandboxOptions {
  readonly setting: SandboxSetting | undefined;
  /** Folders that jobs may read although they are in the state folder or among temporary files. */
  readonly kept: readonly string[];
  readonly log: Log;
}

/** The sandbox of a server. Rejects if it is required and does not work. */
async function openStateSandbox(state: StateFolder, options: StateSandboxOptions): Promise<JobSandbox> {
  const { setting = "none", kept, log } = options;
  const { root, runs, uploads, wesDocuments, downloads } = state;
  const places = () => sandboxPlaces({ root, runsFolder: runs, stores: [uploads, wesDocuments, downloads] }, kept);
  return openJobSandbox({ setting, places, run: runProgram, log });
}
