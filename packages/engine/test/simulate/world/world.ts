import type { Catalog } from "../../../src/catalog/catalog.ts";
import { LocalHost } from "../backends/local-host.ts";
import { Programs } from "../backends/programs.ts";
import { SlurmCluster } from "../backends/slurm-cluster.ts";
import { TesService } from "../backends/tes-service.ts";
import { useMachine } from "../machine/current.ts";
import { Decisions } from "../machine/decisions.ts";
import { WORLD } from "../machine/event-loop.ts";
import { Machine } from "../machine/machine.ts";
import { AutomationWorld } from "./automation/automation-world.ts";
import { SAMPLES_FOLDER } from "./automation/sample-folder.ts";
import { Client } from "./client.ts";
import { COPIES } from "./documents.ts";
import { drawFaultRates, drawFocus, endFaults, type FaultRates } from "./faults.ts";
import { drawStage } from "./stage.ts";
import { History } from "./history.ts";
import { checkBeginning, checkEnd } from "./invariants/end-of-world.ts";
import { LogWatch } from "./invariants/log-watch.ts";
import { occupyNames } from "./invariants/copied-outputs.ts";
import { operate } from "./operator.ts";
import { drawPlan, type Outage, type PlannedEnd, type WorldPlan } from "./plan.ts";
import { RESULTS_FOLDER, RUNS_FOLDER, Server } from "./server.ts";
import { SimulatedDatabase } from "./simulated-database.ts";
import { Violation } from "./violation.ts";

/** Time from which everything works; operations that hang are ended then. */
const QUIET_MS = 90_000;
/** In one world of so many, the power fails as soon as all runs have ended. */
const LAST_POWER_LOSS = 3;
/** Every run must have ended this long after that. */
const LONGEST_MS = 4 * 60 * 60 * 1000;
const RESTART_AFTER_FAILURE_MS = 10_000;

/** One world: a machine, a server with several lives, clusters, clients, and everything that goes wrong. */
export class World {
  readonly seed: number;
  readonly machine: Machine;
  readonly decisions: Decisions;
  readonly history: History;
  readonly programs: Programs;
  readonly plan: WorldPlan;
  readonly rates: FaultRates;
  readonly host: LocalHost;
  readonly cluster: SlurmCluster;
  readonly service: TesService;
  readonly clients: readonly Client[];
  readonly log: LogWatch;
  readonly automation: AutomationWorld | undefined;
  database: SimulatedDatabase;
  server: Server | undefined;
  readonly #catalog: Catalog;
  readonly #ends: PlannedEnd[];
  #hasLostPower = false;

  constructor(seed: number, catalog: Catalog, suppressed: ReadonlySet<string>) {
    this.seed = seed;
    this.decisions = new Decisions(seed, suppressed);
    this.machine = new Machine(this.decisions);
    useMachine(this.machine);
    this.#catalog = catalog;
    this.history = new History(this.machine.loop);
    const staged = drawStage(this.decisions);
    const focus = staged?.focus ?? drawFocus(this.decisions);
    this.rates = { ...drawFaultRates(this.decisions, focus), ...staged?.rates };
    this.plan = drawPlan(this.decisions, this.rates, { focus, staged });
    this.#ends = [...this.plan.ends];
    const { machine, rates } = this;
    this.database = new SimulatedDatabase(machine, rates);
    this.programs = new Programs(machine, rates, {
      outlived: (jobId) => this.log.breaks("what must end is killed by force", jobId),
      begun: (execution, earlier) => {
        this.history.note(`${execution.where}: ${execution.jobId}@${execution.attempt} begins`);
        checkBeginning(execution, earlier, this.log);
      },
    });
    this.host = new LocalHost(machine, this.programs, rates);
    this.cluster = new SlurmCluster(machine, this.programs, rates);
    this.service = new TesService(machine, this.programs, rates);
    this.log = new LogWatch(() => this.database.database, this.programs, this.history);
    const { loop } = machine;
    this.clients = this.plan.runs.map(
      (run) => new Client(run, { loop, history: this.history, server: () => this.server }),
    );
    const { automation } = this.plan;
    const { digest } = catalog.findRunnable("network", COPIES, undefined);
    const automations = () => this.server?.automations;
    this.automation = automation && new AutomationWorld(automation, { machine, log: this.log, digest, automations });
    this.#makeFolders();
  }

  /** Schedules everything that the plan says. */
  begin(): void {
    const { loop } = this.machine;
    this.machine.onKilled = () => this.#killed("kill");
    this.#startServer();
    this.#outage(this.plan.diskFull, "disk full", (isOn) => (this.machine.volume.isFull = isOn));
    this.#outage(this.plan.databaseLocked, "database locked", (isOn) => (this.database.isLocked = isOn));
    this.#outage(this.plan.tesDown, "TES server down", (isOn) => (this.service.isDown = isOn));
    const { clockSet } = this.plan;
    if (clockSet !== undefined) loop.after(clockSet.atMs, () => (this.machine.wallOffsetMs += clockSet.byMs), WORLD);
    this.automation?.begin();
    operate({ loop, database: () => this.database.database, server: () => this.server });
    loop.after(QUIET_MS, () => this.#becomeQuiet(), WORLD);
  }

  /** Everything that was wanted has happened. */
  get isOver(): boolean {
    const { loop } = this.machine;
    const isDone = this.automation?.watch.isDone !== false;
    if (loop.nowMs > QUIET_MS + LONGEST_MS)
      throw new Violation(isDone ? "every run ends" : "every sample starts", this.log.openRuns().join(", "));
    if (this.server === undefined || !isDone) return false;
    return this.clients.every((client) => client.isDone) && this.log.openRuns().length === 0;
  }

  check(): void {
    if (this.seed % LAST_POWER_LOSS === 0) this.#losePowerAtTheEnd();
    checkEnd(this);
  }

  /** The last acknowledged data is safe, too. */
  #losePowerAtTheEnd(): void {
    this.machine.process.isAlive = false;
    this.server = undefined;
    this.#losePower();
    this.database = this.database.reopened(true, this.decisions);
    this.log.reopen();
  }

  finish(): void {
    this.machine.process.isAlive = false;
    this.database.finish();
  }

  #makeFolders(): void {
    const { volume } = this.machine;
    for (const path of ["/state", RUNS_FOLDER, "/catalog", RESULTS_FOLDER, SAMPLES_FOLDER])
      volume.make("folder", volume.find(path));
    occupyNames(this);
    volume.syncAll();
  }

  #startServer(): void {
    const { machine, plan, host, cluster, history } = this;
    const process = machine.startProcess();
    const end = this.#ends[0];
    if (end?.how === "kill" || end?.how === "power") this.#killLater(end);
    this.database = this.database.reopened(this.#hasLostPower, this.decisions);
    this.#hasLostPower = false;
    if (machine.loop.nowMs > 0) this.log.reopen();
    history.note("the server starts");
    const { database } = this;
    const log = (level: string, message: string, fields?: object) => {
      if (level === "error") history.note(`error: ${message} ${JSON.stringify(fields ?? {})}`);
    };
    const around = { machine, database, plan, host, cluster, log, catalog: this.#catalog };
    const query = this.automation?.query;
    Server.start({ ...around, query, onCommit: () => this.log.read() }).then(
      (server) => process.isAlive && this.#serve(server, end),
      (error: unknown) => {
        if (!process.isAlive) return;
        // Restarts cannot cure a mistake in the code, and would continue for hours.
        if (error instanceof TypeError || error instanceof ReferenceError) throw error;
        // A process whose disk fails while it starts does this, too.
        history.note(`the server does not start: ${String(error)}`);
        this.#killed("kill");
      },
    );
  }

  #killLater({ when, atCall, atMs, afterMs }: PlannedEnd): void {
    const { loop, process } = this.machine;
    const kill = () => process.mayBeKilled && this.#killed("kill");
    if (when === "call") process.killAtCall = atCall;
    else if (when === "moment") loop.after(atMs, kill, process);
    // A server that has just started reads old events; they are no reason.
    else loop.after(0, () => this.log.onNext(when, () => loop.after(afterMs, kill, process)), process);
  }

  #serve(server: Server, end: PlannedEnd | undefined): void {
    const { machine } = this;
    const { loop, process } = machine;
    this.server = server;
    this.log.acknowledge(server.journal);
    void server.failed.then(() => loop.after(RESTART_AFTER_FAILURE_MS, () => this.#killed("kill"), process));
    if (end === undefined || end.how === "kill" || end.how === "power") return;
    const mode = end.how;
    const stop = () => {
      this.history.note(`the server stops: ${mode}`);
      server.stop(mode).then(
        () => this.#killed(mode),
        (error: unknown) => {
          // A failed disk ends it otherwise.
          if (server.journal.storageProblem !== "failed") this.log.breaks("a server stops", String(error));
        },
      );
      // The operator who asked it to stop loses patience.
      loop.after(60_000, () => this.#killed("kill"), process);
    };
    loop.after(end.atMs, stop, process);
  }

  /** The process has ended, one way or another. */
  #killed(how: PlannedEnd["how"]): void {
    const { machine } = this;
    if (!machine.process.isAlive) return;
    machine.process.isAlive = false;
    this.server = undefined;
    const end = this.#ends.shift();
    const isPower = end?.how === "power" && how === "kill";
    this.history.note(isPower ? "the power fails" : `the server is gone (${how}) at call ${machine.process.calls}`);
    if (how === "kill") this.host.serverKilled();
    if (isPower) this.#losePower();
    machine.loop.after(end?.downMs ?? 1000, () => this.#startServer(), WORLD);
  }

  #losePower(): void {
    this.#hasLostPower = true;
    this.host.losePower();
    this.programs.losePower();
    this.machine.volume.losePower(this.decisions);
  }

  #outage(outage: Outage | undefined, what: string, set: (isOn: boolean) => void): void {
    if (outage === undefined) return;
    const { loop } = this.machine;
    const change = (isOn: boolean) => {
      this.history.note(isOn ? what : `${what}: over`);
      set(isOn);
    };
    loop.after(outage.atMs, () => change(true), WORLD);
    loop.after(outage.atMs + outage.forMs, () => change(false), WORLD);
  }

  /** No more faults. Hanging programs are ended, also those that begin later. */
  #becomeQuiet(): void {
    this.history.note("everything works from now on");
    endFaults(this.rates);
    this.#ends.length = Math.min(this.#ends.length, this.server === undefined ? 0 : 1);
    this.machine.process.mayBeKilled = false;
    // A run that an abort does not end would hang forever.
    const isAborted = (runId: string) => this.log.isCanceling(runId);
    const endHanging = () => {
      this.host.endHanging(isAborted);
      this.cluster.endHanging(isAborted);
      this.service.endHanging(isAborted);
      this.machine.loop.after(10 * 60_000, endHanging, WORLD);
    };
    endHanging();
  }
}
