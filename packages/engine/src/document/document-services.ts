import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { homedir } from "node:os";
import { join } from "node:path";
import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import { runProgram } from "../executor/run-program.ts";
import { mayRunAt } from "../executor/backends/choose-backend.ts";
import { openExecution, type Execution, type ExecutionSettings } from "../container/open-execution.ts";
import { openLocalExecutor } from "../executor/local/open-local-executor.ts";
import { createOpenAccess } from "../access/disk-access.ts";
import { PortableUris } from "../files/portable-uri.ts";
import type { DownloadSettings } from "../files/remote/download.ts";
import { DownloadStore } from "../files/remote/download-store.ts";
import { RETRY_DELAYS_MS } from "../jobs/retry-policy.ts";
import type { Journal } from "../journal/journal.ts";
import { openMemoryJournal } from "../journal/memory-journal.ts";
import { NO_SINKS } from "../sink/folders/sink-folders.ts";
import { openJobSandbox, type JobSandbox } from "../sandbox/job-sandbox.ts";
import { sandboxPlaces } from "../sandbox/sandbox-places.ts";
import { SecretStore } from "../secrets/secret-store.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import type { Log } from "../log.ts";

export interface DocumentSettings extends ExecutionSettings {
  /** The version of this Weft. */
  readonly version: string;
  /** Folder for files that jobs need while they run; emptied at the end. */
  readonly scratch: string;
  /** Isolates jobs without a container; absent: they are not isolated. */
  readonly jobSandbox?: SandboxSetting;
  /** Folder that keeps downloads; absent: they are deleted at the end. */
  readonly downloads?: string | undefined;
  readonly downloadSettings?: DownloadSettings | undefined;
}

export interface DocumentServices extends RunServices {
  close(): Promise<void>;
}

/** The services for one document, with an in-memory log for speed. Rejects with SandboxUnusable. */
export async function openDocumentServices(settings: DocumentSettings): Promise<DocumentServices> {
  const { version, scratch, log } = settings;
  const jobSandbox = await openSandbox(settings);
  const journal = openMemoryJournal(Date.now);
  const execution = await openDocumentExecution(settings, journal);
  const access = createOpenAccess({ sync: false, near: scratch });
  return {
    version,
    journal,
    ...execution,
    jobSandbox,
    access,
    ...access.all,
    downloads: new DownloadStore(downloadsFolder(settings), settings.downloadSettings),
    secrets: new SecretStore({ runs: scratch, secrets: undefined }),
    uris: new PortableUris({}),
    sinks: NO_SINKS,
    runsFolder: scratch,
    sync: false,
    graceMs: 2000,
    retryDelaysMs: RETRY_DELAYS_MS,
    sharesResults: true,
    // Without sinks, outputs are not copied.
    onPlaced: () => Promise.resolve(),
    log,
    close: async () => {
      execution.containers.close();
      await execution.executor.close();
      await execution.script.close();
      await journal.close();
    },
  };
}

async function openDocumentExecution(settings: DocumentSettings, { read }: Journal): Promise<Execution> {
  // Only a server outlives its jobs, and probing control groups would take longer than many runs.
  const { executor: local } = await openLocalExecutor({
    groupName: undefined,
    limits: settings.limits ?? DEFAULT_LIMITS,
    log: settings.log,
  });
  return openExecution(settings, {
    local,
    opens: (backend, policy) => mayRunAt(policy, backend),
    runsFolder: settings.scratch,
    imagesFolder: imagesFolder(),
    // Warnings and events already report on containers.
    containerLog: () => {},
    passesOver: true,
    read,
  });
}

function openSandbox(settings: DocumentSettings): Promise<JobSandbox> {
  const { jobSandbox: setting = "none", scratch } = settings;
  // Each job record names its sandbox. Log only if jobs run without one.
  const log: Log = (level, ...message) => level !== "info" && settings.log(level, ...message);
  const places = () => sandboxPlaces({ root: scratch, runsFolder: scratch, stores: [downloadsFolder(settings)] }, []);
  return openJobSandbox({ setting, places, run: runProgram, log });
}

function downloadsFolder({ downloads, scratch }: DocumentSettings): string {
  return downloads ?? join(scratch, "downloads");
}

/** Keeps image files from one run to the next. */
function imagesFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "weft", "images");
}
