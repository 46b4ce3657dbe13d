import { join, resolve } from "node:path";
import { BackendExecutor } from "../executor/backend-executor.ts";
import { LOCAL_BACKEND } from "../executor/backend-settings.ts";
import type { BackendSettings } from "../executor/backend-settings.ts";
import { remotePlaces } from "../executor/remote-places.ts";
import { outputsArchive } from "../services/outputs-archive.ts";
import { jobBundle } from "../bundle/job-bundle.ts";
import { Catalog } from "../catalog/catalog.ts";
import { createCatalogService } from "../services/catalog-service.ts";
import { watchCatalog } from "../catalog/watch-catalog.ts";
import type { ContainerKind, ContainerSetting } from "@weft/shared/records/container-record.ts";
import { ContainerExecutor } from "../container/container-executor.ts";
import { openContainers } from "../container/open-containers.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import type { Engine } from "../port/engine.ts";
import type { Executor } from "../executor/executor.ts";
import { openLocalExecutor } from "../executor/open-local-executor.ts";
import { openSlurmExecutor } from "../executor/slurm/open-slurm-executor.ts";
import { openTesExecutor } from "../executor/tes/open-tes-executor.ts";
import { textDigest } from "../files/hash-file.ts";
import { openServerFiles } from "../access/open-server-files.ts";
import type { ServerFolders } from "../access/open-server-files.ts";
import { DEFAULT_DOWNLOADS, DownloadStore } from "../files/remote/download-store.ts";
import type { DownloadSettings } from "../files/remote/download.ts";
import { allowHosts } from "../files/remote/http-policy.ts";
import { createFileService } from "../services/file-service.ts";
import { RETRY_DELAYS_MS } from "../jobs/retry-policy.ts";
import type { Journal } from "../journal/journal.ts";
import { openSqliteJournal } from "../journal/sqlite-journal.ts";
import { troubleText } from "../journal/storage/storage-trouble.ts";
import { unlessTroubled } from "../journal/unless-troubled.ts";
import { createEventService } from "../services/event-service.ts";
import { leaveSinkSidecars } from "../provenance/leave-sink-sidecars.ts";
import { clearImports } from "../provenance/import/clear-imports.ts";
import { createProvenanceService } from "../services/provenance-service.ts";
import { realPathOf } from "../provenance/real-path-of.ts";
import { ReproductionWatch } from "../provenance/reproduction-watch.ts";
import { ProvenanceThreads } from "../provenance/thread/provenance-threads.ts";
import { RunResumption } from "../runs/drive/resume-runs.ts";
import { RunIds } from "../runs/begin/run-ids.ts";
import { RunRegistry } from "../runs/drive/run-registry.ts";
import { createRunService } from "../services/run-service.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import type { Log } from "../log.ts";
import { Retention } from "../retention/retention.ts";
import { capacityOf } from "../schedule/machine-capacity.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import { NO_SINKS } from "../sink/sink-folders.ts";
import type { SinkFolders } from "../sink/sink-folders.ts";
import { openStateSandbox } from "../sandbox/state-sandbox.ts";
import { QuickJsEngine } from "../script/quickjs-engine.ts";
import { SecretStore } from "../secrets/secret-store.ts";
import { serverInfo } from "./server-info.ts";
import { openStateFolder } from "../state/state-folder.ts";
import { EngineStop } from "./stop-engine.ts";

export interface EngineOptions {
  readonly version: string;
  readonly stateFolder: string;
  /** A folder that other machines see as well, for what jobs read and write; absent: that is in the state folder. */
  readonly sharedFolder?: string | undefined;
  readonly catalogFolder: string;
  /** Name → folder that inputs may come from, beside the catalog and what is uploaded. */
  readonly dataFolders: Readonly<Record<string, string>>;
  /** Where outputs may be copied to; absent: nowhere. */
  readonly sinks?: SinkFolders;
  /** Jobs at once; undefined: as many as cores and memory allow. */
  readonly jobs: number | undefined;
  /** Times between the attempts of a job; absent: seconds that grow. */
  readonly retryDelaysMs?: readonly number[];
  readonly maxUploadBytes: number;
  /** Which container engine tools run in that ask for one; absent: the first that works. */
  readonly container?: ContainerSetting;
  /** What closes in the jobs without a container; absent: nothing. */
  readonly jobSandbox?: SandboxSetting;
  /** For one expression; absent: as the sandbox has it. */
  readonly evalTimeoutMs?: number | undefined;
  /** Which files of the web may be inputs, and how they are fetched; absent: none. */
  readonly downloadSettings?: DownloadSettings | undefined;
  /** Runs that have not ended, at most; absent: any number. */
  readonly maxOpenRuns?: number | undefined;
  /** Put jobs into control groups where this machine allows it; absent: yes. */
  readonly controlGroups?: boolean;
  /** False: results of earlier jobs are taken from runs of the same owner only. */
  readonly sharesResults?: boolean;
  /** Where jobs run; absent: on this machine. */
  readonly backend?: BackendSettings | undefined;
  /** Runs those of this machine; absent: as its processes. */
  readonly executor?: Executor;
  /** Resolves when the server listens, which starts resuming runs; absent: at once. */
  readonly listening?: Promise<void>;
  /** How long to watch a run that may have crashed earlier servers before resuming the next; absent: half a minute. */
  readonly probationMs?: number;
  /** Absent: the defaults. */
  readonly limits?: Limits | undefined;
  readonly log: Log;
}

const GRACE_MS = 5000;
const NO_WEB: DownloadSettings = { ...DEFAULT_DOWNLOADS, policy: allowHosts([]) };

/** Opens the state folder and returns the engine, which resumes open runs in the background. Rejects if another server holds the folder. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { log, version, limits = DEFAULT_LIMITS } = options;
  const state = await openStateFolder(options.stateFolder, options.sharedFolder);
  const kept = [options.catalogFolder, ...Object.values(options.dataFolders)].map((folder) => resolve(folder));
  const jobSandbox = await openStateSandbox(state, { setting: options.jobSandbox, kept, log });
  const journal = await openSqliteJournal(state.database, "full");
  const failed = watchStorage(journal, log);
  const setting = options.container ?? "auto";
  const catalog = new Catalog(resolve(options.catalogFolder), setting === "none");
  const { root, runs: runsFolder, uploads, downloads: downloadsFolder, imports: importsFolder } = state;
  const serverFolders: ServerFolders = {
    roots: { ...resolveAll(options.dataFolders), catalog: catalog.root, uploads, runs: runsFolder },
    places: { data: kept, root, runs: runsFolder, uploads, downloads: downloadsFolder, imports: importsFolder },
    near: state.isNear ? runsFolder : root,
  };
  const { roots, access } = openServerFiles(serverFolders, journal.read);
  const told = new Set<string>();
  const reload = () =>
    catalog.load((path) => {
      if (!told.has(path)) log("warn", "a folder of the catalog has a name that is no id", { path });
      told.add(path);
    });
  await reload();
  const sandbox = new QuickJsEngine(options.evalTimeoutMs, limits.expressionMemoryBytes);
  const containers = openContainers({ setting, imagesFolder: join(state.root, "images"), log });
  const engineOf = (kind: ContainerKind) => containers.engine(kind);
  const backend = options.backend ?? LOCAL_BACKEND;
  const backends = {
    local: options.executor ?? (await openLocal(state.root, options)),
    slurm: openSlurmExecutor(backend.slurm, { runsFolder: state.runs, log }),
    tes: openTesExecutor(backend.tes, { runsFolder: state.runs, log }),
  };
  const inner = new BackendExecutor(backends, (runId) => journal.read.backends(runId));
  const executor = new ContainerExecutor({ inner, engineOf, log });
  const { folders, umask } = options.sinks ?? NO_SINKS;
  const sinks = { folders: resolveAll(folders), umask };
  const sinkRoots = Object.keys(folders);
  const downloads = new DownloadStore(state.downloads, options.downloadSettings ?? NO_WEB);
  const services: RunServices = {
    version,
    journal,
    scheduler: new Scheduler(capacityOf(options.jobs, remotePlaces(backend))),
    executor,
    backends: backend.policy,
    containers,
    jobSandbox,
    access,
    ...access.all,
    downloads,
    script: sandbox,
    secrets: new SecretStore({ runs: state.runs, secrets: state.secrets }),
    uris: roots.uris,
    sinks,
    runsFolder: state.runs,
    sync: true,
    graceMs: GRACE_MS,
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
    sharesResults: options.sharesResults ?? true,
    limits,
    onPlaced: (placed) => leaveSinkSidecars(placed, { journal, uris: roots.uris, sinks, sync: true, log }),
    log,
  };
  const retention = new Retention({
    journal,
    runsFolder: state.runs,
    uploadsFolder: state.uploads,
    downloads,
    log,
  });
  const registry = new RunRegistry(services, catalog, (runId) => retention.runEnded(runId));
  // Jobs run on, and the next server takes the runs up from what is on record.
  void failed.then(() => registry.release());
  const startedMs = Date.now();
  await journal.append([
    { type: "server.started", run_id: null, actor: "engine", data: { version, pid: process.pid } },
  ]);
  for (const { runId } of journal.read.openRuns())
    for (const kind of journal.read.containerEngines(runId)) executor.reattachContainers(runId, kind);
  services.secrets.forgetAllBut(new Set(journal.read.openRuns().map(({ runId }) => runId)));
  await clearImports({ importsFolder: state.imports, runsFolder: state.runs, read: journal.read });
  const { reach } = access.all;
  const resolvePath = (uri: string) => realPathOf(uri, { roots, reach });
  const reproductions = new ReproductionWatch({ journal, reach, resolve: resolvePath, log });
  retention.recover();
  const onEnded = (runId: string) => retention.runEnded(runId);
  const { listening, probationMs } = options;
  const resumption = new RunResumption({ services, registry, catalog, onEnded, listening, probationMs });
  void failed.then(() => resumption.stop());
  const watcher = watchCatalog(catalog.root, () => void reloadCatalog(reload, catalog, { journal, log }));
  const end = new EngineStop({
    services,
    registry,
    resumption,
    retention,
    closers: [
      () => unlessTroubled(reproductions.close(), journal),
      async () => containers.close(),
      () => sandbox.close(),
      () => watcher.close(),
      async () => state.unlock(),
    ],
  });
  const ids = new RunIds(journal.read.newestRunId());
  const isDraining = () => end.hasBegun;
  const runs = createRunService({
    services,
    registry,
    request: {
      catalog,
      roots,
      access,
      script: services.script,
      limits: services.limits,
      policy: downloads.settings.policy,
      sinkRoots,
    },
    ids,
    isDraining,
    maxOpenRuns: options.maxOpenRuns,
  });
  return {
    catalog: createCatalogService(catalog, journal.read, roots.uris),
    runs,
    provenance: createProvenanceService({
      read: journal.read,
      thread: new ProvenanceThreads({ data: { database: state.database, folders: serverFolders }, log: options.log }),
      imports: { journal, ids, importsFolder, runsFolder, maxBytes: options.maxUploadBytes, limits: services.limits },
      present: (caller, runId) => runs.get(caller, runId),
      imported: (runId) => retention.runEnded(runId),
      isDraining,
    }),
    files: createFileService({
      roots,
      access,
      read: journal.read,
      runsFolder: state.runs,
      uploadsFolder: state.uploads,
      maxUploadBytes: options.maxUploadBytes,
    }),
    archives: {
      outputs: (caller, runId) => outputsArchive(caller, runId, services),
      job: (caller, wanted) => jobBundle(wanted, { services, caller, weftVersion: version }),
    },
    events: createEventService(journal),
    storage: {
      prune: ({ principal }, body, isDryRun) =>
        retention.prune(body, { actor: principal, isDryRun, nowMs: journal.nowMs() }),
    },
    serverInfo: (_caller) =>
      serverInfo(
        { version, startedMs, stateFolder: state.root, draining: end.hasBegun, sinkRoots },
        journal,
        services.scheduler,
      ),
    stop: (mode) => end.stop(mode),
    get draining() {
      return end.hasBegun;
    },
    get trouble() {
      return journal.trouble;
    },
    failed,
  };
}

/** Its control group is that of the state folder, which one server has at a time. */
async function openLocal(stateRoot: string, { log, controlGroups = true }: EngineOptions): Promise<Executor> {
  const groupName = controlGroups ? `weft-${textDigest(stateRoot).slice(-12)}` : undefined;
  const { executor, told } = await openLocalExecutor(groupName, log);
  log("info", "processes of jobs are known by their marks", told);
  return executor;
}

/** Tells the log what becomes of the disk; resolves when it has failed. */
function watchStorage(journal: Journal, log: Log): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  journal.onTrouble((trouble, message) => {
    if (trouble === undefined) log("info", "The log can be written again.");
    else log(trouble === "failed" ? "error" : "warn", troubleText(trouble), { error: message });
    if (trouble === "failed") resolve(message);
  });
  return promise;
}

function resolveAll(folders: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(folders).map(([name, folder]) => [name, resolve(folder)]));
}

async function reloadCatalog(
  reload: () => Promise<boolean>,
  catalog: Catalog,
  { journal, log }: { readonly journal: Journal; readonly log: Log },
): Promise<void> {
  try {
    if (!(await reload())) return;
    await journal.append([{ type: "catalog.changed", run_id: null, actor: "engine", data: catalog.counts }]);
  } catch (error) {
    log("error", "the catalog could not be read again", { error: String(error) });
  }
}
