import { openServerFiles } from "../../../src/access/disk-access.ts";
import { LOG_FEATURES } from "../../../src/app/features.ts";
import { EngineStop, type StopMode } from "../../../src/app/stop-engine.ts";
import { forgetAsIfRestarted } from "../../../src/async/process-memory.ts";
import type { Catalog } from "../../../src/catalog/catalog.ts";
import { Containers } from "../../../src/container/containers.ts";
import { Machines } from "../../../src/container/machines.ts";
import type { JobSelector } from "../../../src/executor/executor.ts";
import type { BackendPolicy } from "../../../src/executor/backends/choose-backend.ts";
import { SlurmClient } from "../../../src/executor/slurm/slurm-client.ts";
import { slurmQueue } from "../../../src/executor/slurm/slurm-system.ts";
import { DEFAULT_SLURM } from "../../../src/executor/slurm/slurm-settings.ts";
import { TesClient } from "../../../src/executor/tes/tes-client.ts";
import { tesQueue } from "../../../src/executor/tes/tes-system.ts";
import { DEFAULT_TES } from "../../../src/executor/tes/tes-settings.ts";
import { attemptFoldersOf } from "../../../src/files/attempt-folder.ts";
import { DEFAULT_DOWNLOADS, DownloadStore } from "../../../src/files/remote/download-store.ts";
import { RETRY_DELAYS_MS } from "../../../src/jobs/retry-policy.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import { prepareForWriting } from "../../../src/journal/open-database.ts";
import type { RouteMethods } from "../../../src/port/route-methods.ts";
import type { Agent, EngineRuns } from "../../../src/port/engine.ts";
import { RunIds } from "../../../src/runs/begin/run-ids.ts";
import { RunResumption } from "../../../src/runs/drive/resume-runs.ts";
import { RunRegistry } from "../../../src/runs/drive/run-registry.ts";
import type { RunServices } from "../../../src/runs/drive/run-services.ts";
import { openJobSandbox } from "../../../src/sandbox/job-sandbox.ts";
import { Scheduler } from "../../../src/schedule/scheduler.ts";
import { SecretStore } from "../../../src/secrets/secret-store.ts";
import { createRunService, type RunServiceOptions } from "../../../src/runs/run-service.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { HostExecutor } from "../backends/host-executor.ts";
import type { LocalHost } from "../backends/local-host.ts";
import type { SlurmCluster } from "../backends/slurm-cluster.ts";
import { TES_URL } from "../backends/tes-service.ts";
import type { Machine } from "../machine/machine.ts";
import { timersPromises } from "../machine/node-timers.ts";
import { simulateAutomations, type SampleQuery } from "./automation/simulate-automations.ts";
import { SAMPLES_ROOT } from "./automation/plan-automation.ts";
import { SAMPLES_FOLDER } from "./automation/sample-folder.ts";
import type { WorldPlan } from "./plan.ts";
import type { SimulatedDatabase } from "./simulated-database.ts";
import { openSimulatedJournal } from "./simulated-journal.ts";

export const RUNS_FOLDER = "/state/runs";
/** Runs may copy their outputs there. */
export const RESULTS_FOLDER = "/results";

/** The surroundings of a server: its machine and other systems. */
export interface Surroundings {
  readonly machine: Machine;
  readonly database: SimulatedDatabase;
  readonly catalog: Catalog;
  readonly plan: WorldPlan;
  readonly host: LocalHost;
  readonly cluster: SlurmCluster;
  /** The result of a query of a dataset; undefined: this world has no automations. */
  readonly query: SampleQuery | undefined;
  readonly onCommit: () => void;
  readonly log: RunServices["log"];
}

const POLICY: BackendPolicy = {
  standard: "local",
  rules: [
    { backend: "slurm", step: "s_*" },
    { backend: "tes", step: "t_*" },
  ],
  defaultImage: "busybox",
};

/** One run of the server: the parts of app/open-engine.ts on a simulated machine. */
export class Server {
  readonly journal: Journal;
  readonly scheduler: Scheduler;
  readonly runs: EngineRuns;
  readonly methods: RouteMethods;
  readonly automations: RouteMethods | undefined;
  readonly registry: RunRegistry;
  readonly #end: EngineStop;
  /** Resolves when the disk has failed: the server ends soon. */
  readonly failed: Promise<void>;

  private constructor(journal: Journal, services: RunServices, around: Surroundings) {
    this.journal = journal;
    this.scheduler = services.scheduler;
    const { catalog, query, log } = around;
    this.registry = new RunRegistry(services, catalog);
    const { registry } = this;
    const agents: Agent[] = [];
    const resumption = new RunResumption({ services, registry, catalog });
    this.failed = new Promise((resolve) => {
      journal.onStorageProblem((problem) => {
        if (problem !== "failed") return;
        registry.release();
        resumption.stop();
        for (const agent of agents) void agent.close();
        resolve();
      });
    });
    this.#end = new EngineStop({ services, registry, resumption, agents, closers: [] });
    const { runs, methods } = createRuns(services, { registry, catalog, isDraining: () => this.#end.hasBegun });
    this.runs = runs;
    this.methods = methods;
    if (query === undefined) return;
    const begin = (agent: Agent) => {
      agents.push(agent);
      agent.begin();
    };
    this.automations = simulateAutomations({ journal, log, runs: this.runs, catalog, query, begin });
  }

  static async start(around: Surroundings): Promise<Server> {
    forgetAsIfRestarted();
    const { machine, database, onCommit } = around;
    prepareForWriting(database.database, "full", LOG_FEATURES);
    const journal = await openSimulatedJournal(machine, database, onCommit);
    const services = await openServices(journal, around);
    const data = { version: "simulated", pid: 1 };
    await journal.append([{ type: "server.started", run_id: null, actor: "engine", data }]);
    services.secrets.forgetAllBut(new Set(journal.read.openRuns().map(({ runId }) => runId)));
    return new Server(journal, services, around);
  }

  stop(mode: StopMode): Promise<void> {
    return this.#end.stop(mode);
  }
}

const FOLDERS = {
  ...{ root: "/state", runs: RUNS_FOLDER, uploads: "/state/uploads", imports: "/state/imports" },
  ...{ wesDocuments: "/state/wes-documents", downloads: "/state/downloads" },
};

const ROOTS = { runs: RUNS_FOLDER, [SAMPLES_ROOT]: SAMPLES_FOLDER };

async function openServices(journal: Journal, around: Surroundings): Promise<RunServices> {
  const { plan, log } = around;
  const { roots, access } = openServerFiles(
    {
      roots: { catalog: "/catalog", uploads: FOLDERS.uploads, ...ROOTS },
      places: { data: ["/catalog", SAMPLES_FOLDER], ...FOLDERS },
      near: RUNS_FOLDER,
    },
    journal.read,
  );
  const noEngine = () => {
    throw new Error("no container engine is simulated");
  };
  const containers = new Containers({ setting: "none", engineOf: noEngine, log, now: () => performance.now() });
  const machines = openMachines(around);
  const places = () => noEngine();
  return {
    ...{ version: "simulated", journal, scheduler: new Scheduler(plan.capacity), backends: POLICY, containers },
    executor: new Machines({ machines, backendsOf: (runId) => journal.read.backends(runId), engineOf: noEngine, log }),
    jobSandbox: await openJobSandbox({ setting: "none", places, run: noEngine, log }),
    access,
    ...access.all,
    downloads: new DownloadStore(FOLDERS.downloads, DEFAULT_DOWNLOADS),
    // The documents of the simulation only contain parameter references.
    script: { run: noEngine },
    secrets: new SecretStore({ runs: RUNS_FOLDER, secrets: "/state/secrets" }),
    uris: roots.uris,
    sinks: { folders: { results: RESULTS_FOLDER }, umask: 0o022 },
    ...{ runsFolder: RUNS_FOLDER, sync: true, graceMs: 5000, retryDelaysMs: RETRY_DELAYS_MS },
    ...{ sharesResults: true, limits: DEFAULT_LIMITS, onPlaced: () => Promise.resolve(), log },
  };
}

function openMachines({ machine, host, cluster, log }: Surroundings) {
  const { loop } = machine;
  const clock = {
    now: () => loop.nowMs,
    pause: (ms: number, signal?: AbortSignal) => timersPromises.setTimeout(ms, undefined, signal && { signal }),
  };
  const attemptFolders = (place: JobSelector) => attemptFoldersOf(RUNS_FOLDER, place);
  const slurm = slurmQueue({
    settings: DEFAULT_SLURM,
    client: new SlurmClient(DEFAULT_SLURM, cluster.run, "1000"),
    ...{ clock, log, attemptFolders },
  });
  const settings = { ...DEFAULT_TES, url: TES_URL };
  const tes = tesQueue({ settings, client: new TesClient(settings), clock, log, attemptFolders });
  return { local: new HostExecutor(machine, host), slurm, tes };
}

interface RunParts extends Pick<RunServiceOptions, "registry" | "isDraining"> {
  readonly catalog: Catalog;
}

function createRuns(services: RunServices, { registry, catalog, isDraining }: RunParts) {
  const { journal } = services;
  const roots = openServerFiles(
    { roots: ROOTS, places: { data: [SAMPLES_FOLDER], ...FOLDERS }, near: RUNS_FOLDER },
    journal.read,
  ).roots;
  // Parts that no simulated client asks.
  const unused = { reads: { of: () => ({}) } } as unknown as Pick<RunServiceOptions, "reads" | "wesDocuments">;
  const findSamples = () => Promise.reject(new Error("the simulation has no datasets"));
  const ids = new RunIds(journal.read.newestRunId());
  return createRunService({
    ...unused,
    ...{ services: { ...services, catalog, roots, findSamples }, registry, isDraining, ids },
  });
}
