import { homedir } from "node:os";
import { join } from "node:path";
import type { ContainerKind, ContainerSetting } from "@weft/shared/records/container-record.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import { runProgram } from "../executor/run-program.ts";
import { BackendExecutor } from "../executor/backend-executor.ts";
import type { Backends } from "../executor/backend-executor.ts";
import { LOCAL_BACKEND } from "../executor/backend-settings.ts";
import type { BackendSettings } from "../executor/backend-settings.ts";
import { mayRunAt } from "../executor/choose-backend.ts";
import type { Executor } from "../executor/executor.ts";
import { remotePlaces } from "../executor/remote-places.ts";
import { ContainerExecutor } from "../container/container-executor.ts";
import { openContainers } from "../container/open-containers.ts";
import { openLocalExecutor } from "../executor/open-local-executor.ts";
import { createOpenAccess } from "../access/disk-access.ts";
import { PortableUris } from "../files/portable-uri.ts";
import type { DownloadSettings } from "../files/remote/download.ts";
import { DownloadStore } from "../files/remote/download-store.ts";
import { RETRY_DELAYS_MS } from "../jobs/retry-policy.ts";
import { openMemoryJournal } from "../journal/memory-journal.ts";
import { capacityOf } from "../schedule/machine-capacity.ts";
import { NO_SINKS } from "../sink/sink-folders.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import { openJobSandbox } from "../sandbox/job-sandbox.ts";
import type { JobSandbox } from "../sandbox/job-sandbox.ts";
import { sandboxPlaces } from "../sandbox/sandbox-places.ts";
import { QuickJsEngine } from "../script/quickjs-engine.ts";
import { SecretStore } from "../secrets/secret-store.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import type { Log } from "../log.ts";

export interface DocumentSettings {
  /** Of this Weft. */
  readonly version: string;
  /** Folder for what jobs need while they run; emptied at the end. */
  readonly scratch: string;
  readonly jobs: number | undefined;
  /** Absent: `auto`. */
  readonly container?: ContainerSetting;
  /** Where jobs run; absent: on this machine. */
  readonly backend?: BackendSettings | undefined;
  /** What closes in the jobs without a container; absent: nothing. */
  readonly jobSandbox?: SandboxSetting;
  /** For one expression; absent: as the sandbox has it. */
  readonly evalTimeoutMs?: number | undefined;
  /** Folder in which files from the web are kept; absent: they are forgotten at the end. */
  readonly downloads?: string | undefined;
  readonly downloadSettings?: DownloadSettings | undefined;
  /** Absent: the defaults. */
  readonly limits?: Limits | undefined;
  readonly log: Log;
}

export interface DocumentServices extends RunServices {
  close(): Promise<void>;
}

/**
 * What a single document runs on: a log in memory, which is faster and forgets everything at the end. Rejects with
 * SandboxUnusable.
 */
export async function openDocumentServices(settings: DocumentSettings): Promise<DocumentServices> {
  const { limits = DEFAULT_LIMITS } = settings;
  const jobSandbox = await openSandbox(settings);
  const sandbox = new QuickJsEngine(settings.evalTimeoutMs, limits.expressionMemoryBytes);
  // What is to be known of containers is told by warnings and events.
  const setting = settings.container ?? "auto";
  const containers = openContainers({ setting, imagesFolder: imagesFolder(), log: () => {}, passesOver: true });
  const engineOf = (kind: ContainerKind) => containers.engine(kind);
  // Nothing but a server outlives its jobs: trying control groups would take longer than many a run.
  const { executor: local } = await openLocalExecutor(undefined, settings.log);
  const journal = openMemoryJournal(Date.now);
  const backend = settings.backend ?? LOCAL_BACKEND;
  const inner = new BackendExecutor({ local, ...(await openRemote(backend, settings)) }, (runId) =>
    journal.read.backends(runId),
  );
  const executor = new ContainerExecutor({ inner, engineOf, log: settings.log });
  const access = createOpenAccess({ sync: false, near: settings.scratch });
  return {
    version: settings.version,
    sharesResults: true,
    journal,
    scheduler: new Scheduler(capacityOf(settings.jobs, remotePlaces(backend))),
    executor,
    backends: backend.policy,
    containers,
    jobSandbox,
    access,
    ...access.all,
    downloads: new DownloadStore(downloadsFolder(settings), settings.downloadSettings),
    script: sandbox,
    secrets: new SecretStore({ runs: settings.scratch, secrets: undefined }),
    uris: new PortableUris({}),
    sinks: NO_SINKS,
    runsFolder: settings.scratch,
    sync: false,
    graceMs: 2000,
    retryDelaysMs: RETRY_DELAYS_MS,
    limits,
    // Without sinks, nothing is placed.
    onPlaced: () => Promise.resolve(),
    log: settings.log,
    close: async () => {
      containers.close();
      await executor.close();
      await sandbox.close();
      await journal.close();
    },
  };
}

/** Loads the modules of a remote backend only if jobs may be sent there. */
async function openRemote(
  { policy, slurm, tes }: BackendSettings,
  { scratch, log }: DocumentSettings,
): Promise<Omit<Backends, "local">> {
  const surroundings = { runsFolder: scratch, log };
  const opening: { slurm?: Executor; tes?: Executor } = {};
  if (mayRunAt(policy, "slurm")) {
    const { openSlurmExecutor } = await import("../executor/slurm/open-slurm-executor.ts");
    opening.slurm = openSlurmExecutor(slurm, surroundings);
  }
  if (mayRunAt(policy, "tes")) {
    const { openTesExecutor } = await import("../executor/tes/open-tes-executor.ts");
    opening.tes = openTesExecutor(tes, surroundings);
  }
  return opening;
}

function openSandbox(settings: DocumentSettings): Promise<JobSandbox> {
  const { jobSandbox: setting = "none", scratch } = settings;
  // Each job says that it was closed in; that none is, is worth a line.
  const log: Log = (level, ...told) => level !== "info" && settings.log(level, ...told);
  const places = () => sandboxPlaces({ root: scratch, runsFolder: scratch, stores: [downloadsFolder(settings)] }, []);
  return openJobSandbox({ setting, places, run: runProgram, log });
}

function downloadsFolder({ downloads, scratch }: DocumentSettings): string {
  return downloads ?? join(scratch, "downloads");
}

/** Images that are files are kept from one run to the next. */
function imagesFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "weft", "images");
}
