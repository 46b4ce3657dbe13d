import { join, resolve } from "node:path";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { openExecution, type Execution } from "../container/open-execution.ts";
import type { Machine } from "../executor/executor.ts";
import { openLocalExecutor } from "../executor/local/open-local-executor.ts";
import { DraftStore } from "../drafts/draft-store.ts";
import { finishPublishing } from "../drafts/publish-version.ts";
import { textDigest } from "../files/hash-file.ts";
import { DEFAULT_DOWNLOADS, DownloadStore } from "../files/remote/download-store.ts";
import type { DownloadSettings } from "../files/remote/download.ts";
import { allowHosts } from "../files/remote/http-policy.ts";
import { RETRY_DELAYS_MS } from "../jobs/retry-policy.ts";
import type { Agent, Engine } from "../port/engine.ts";
import { writeSinkSidecars } from "../provenance/write-sink-sidecars.ts";
import { ReadPool } from "../read/read-pool.ts";
import { openOutputFiles } from "../tests/open-output-files.ts";
import { RunRegistry } from "../runs/drive/run-registry.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import { SecretStore } from "../secrets/secret-store.ts";
import { NO_SINKS } from "../sink/folders/sink-folders.ts";
import { uploadPathOf, WesDocuments } from "../wes-documents/wes-documents.ts";
import { oneAtATime } from "../async/one-at-a-time.ts";
import { Catalog } from "../catalog/catalog.ts";
import { watchCatalog } from "../catalog/watch-catalog.ts";
import type { Journal } from "../journal/journal.ts";
import type { EngineOptions } from "./engine-options.ts";
import { createEnginePort } from "./engine-port.ts";
import { openServerState, resolveAll, type ServerState } from "./server-state.ts";
import { EngineStop } from "./stop-engine.ts";
import type { Machines } from "../container/machines.ts";
import { RunResumption } from "../runs/drive/resume-runs.ts";

const GRACE_MS = 5000;
const NO_WEB: DownloadSettings = { ...DEFAULT_DOWNLOADS, policy: allowHosts([]) };

/**
 * Opens the state folder and returns the engine, which resumes open runs in the background. Rejects if another server
 * holds the folder.
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { log } = options;
  const state = await openServerState(options);
  const { folder, journal } = state;
  await finishPublishing(resolve(options.catalogFolder)).catch((error: unknown) =>
    log("warn", "versions that were being published could not be completed", { error: String(error) }),
  );
  const { catalog, reload, watch } = await openServerCatalog(options, journal);
  const execution = await openServerExecution(state, options);
  const services = createRunServices(state, execution, options);
  const registry = new RunRegistry(services, catalog);
  // Jobs keep running without this server, and the next server resumes their runs.
  void state.failed.then(() => registry.release());
  const { executor, containers, script } = execution;
  const outputFiles = openOutputFiles({ reach: state.access.all.reach, script });
  const resumption = await recoverRuns({ options, state, executor, services, catalog, registry });
  const drafts = await DraftStore.open(folder.drafts, log);
  const wesDocuments = await openWesDocuments(state, options);
  const watcher = watch();
  const reads = openReads(state, options);
  const closers = [
    async () => containers.close(),
    () => script.close(),
    () => reads.close(),
    () => watcher.close(),
    async () => folder.unlock(),
  ];
  const agents: Agent[] = [];
  const end = new EngineStop({ services, registry, resumption, agents, closers });
  const opened = { drafts, wesDocuments, outputFiles, agents, reads, services, registry, end };
  return await createEnginePort({ options, startedMs: Date.now(), state, catalog, reload, ...opened });
}

function openReads({ folder, serverFolders }: ServerState, { log, limits = DEFAULT_LIMITS }: EngineOptions): ReadPool {
  const script = new URL("./read-thread.ts", import.meta.url);
  return new ReadPool(script, { database: folder.database, folders: serverFolders, limits }, log);
}

function openWesDocuments({ folder, journal, roots }: ServerState, options: EngineOptions): Promise<WesDocuments> {
  return WesDocuments.open({
    isOn: options.wesDocuments !== undefined,
    root: folder.wesDocuments,
    uploadPath: (location) => uploadPathOf(location, (uri) => roots.uris.toFile(uri)),
    nowMs: () => journal.nowMs(),
  });
}

/**
 * Opens every backend, even those that no rule selects any more: jobs of an earlier server may still be running there.
 */
async function openServerExecution({ folder, journal }: ServerState, options: EngineOptions): Promise<Execution> {
  return openExecution(options, {
    local: options.executor ?? (await openLocal(folder.root, options)),
    opens: () => true,
    runsFolder: folder.runs,
    imagesFolder: join(folder.root, "images"),
    containerLog: options.log,
    read: journal.read,
  });
}

/** The control group takes its name from the state folder, which only one server can hold at a time. */
async function openLocal(
  stateRoot: string,
  { log, controlGroups = true, limits = DEFAULT_LIMITS }: EngineOptions,
): Promise<Machine> {
  const groupName = controlGroups ? `weft-${textDigest(stateRoot).slice(-12)}` : undefined;
  const { executor, tracking } = await openLocalExecutor({ groupName, limits, log });
  log("info", "how processes of jobs are tracked", tracking);
  return executor;
}

function createRunServices(state: ServerState, execution: Execution, options: EngineOptions): RunServices {
  const { folder, journal, jobSandbox, access, roots } = state;
  const { version, syncs: sync = true, sinks: { folders, umask } = NO_SINKS, log } = options;
  const { uris } = roots;
  const sinks = { folders: resolveAll(folders), umask };
  return {
    version,
    journal,
    ...execution,
    jobSandbox,
    access,
    ...access.all,
    downloads: new DownloadStore(folder.downloads, options.downloadSettings ?? NO_WEB),
    secrets: new SecretStore({ runs: folder.runs, secrets: folder.secrets }),
    uris,
    sinks,
    runsFolder: folder.runs,
    sync,
    graceMs: GRACE_MS,
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
    sharesResults: options.sharesResults ?? true,
    onPlaced: (placed) => writeSinkSidecars(placed, { journal, uris, sinks, sync, log }),
    log,
  };
}

interface ServerCatalog {
  readonly catalog: Catalog;
  /** Reads the catalog folder again. */
  readonly reload: () => Promise<void>;
  /** Reloads the catalog whenever its folder changes, until closed. */
  readonly watch: () => { close(): Promise<void> };
}

/** Loads the catalog; reports each folder with an invalid name once. */
async function openServerCatalog(
  { catalogFolder, container, log }: Pick<EngineOptions, "catalogFolder" | "container" | "log">,
  journal: Journal,
): Promise<ServerCatalog> {
  const catalog = new Catalog(resolve(catalogFolder), container === "none");
  const reported = new Set<string>();
  const load = () =>
    catalog.load((path) => {
      if (!reported.has(path)) log("warn", "a catalog folder has an invalid id as its name", { path });
      reported.add(path);
    });
  // Two reads at a time could end in the wrong order, and the older state of the folder would stay.
  const reload = oneAtATime(async () => {
    try {
      if (!(await load())) return;
      await journal.append([{ type: "catalog.changed", run_id: null, actor: "engine", data: catalog.counts }]);
    } catch (error) {
      log("error", "the catalog could not be reloaded", { error: String(error) });
    }
  });
  await load();
  const failed = (error: unknown) =>
    log("warn", "a catalog folder cannot be watched; changes in it are not noticed", { error: String(error) });
  const watch = () => watchCatalog(catalog.root, { changed: () => void reload(), failed });
  return { catalog, reload, watch };
}

interface RecoveryParts {
  readonly options: Pick<EngineOptions, "version" | "listening" | "probationMs">;
  readonly state: ServerState;
  readonly executor: Machines;
  readonly services: RunServices;
  readonly catalog: Catalog;
  readonly registry: RunRegistry;
}

/**
 * Records that this server started, and resumes open runs of an earlier server in the background. Deletes secrets that
 * no run needs.
 */
async function recoverRuns({ options, state, executor, services, ...parts }: RecoveryParts): Promise<RunResumption> {
  const { version, listening, probationMs } = options;
  const { journal, failed } = state;
  const data = { version, pid: process.pid };
  await journal.append([{ type: "server.started", run_id: null, actor: "engine", data }]);
  const open = journal.read.openRuns().map(({ runId }) => runId);
  for (const runId of open)
    for (const kind of journal.read.containerEngines(runId)) executor.containers.inherit(runId, kind);
  services.secrets.forgetAllBut(new Set(open));
  const resumption = new RunResumption({ ...parts, services, listening, probationMs });
  void failed.then(() => resumption.stop());
  return resumption;
}
