import { setImmediate } from "node:timers/promises";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Advance } from "@weft/cwl/workflow/advance.ts";
import type { RecordedStep } from "@weft/shared/events/run-events.ts";
import { DEFAULT_FAILURE_POLICY } from "@weft/shared/records/run-parts.ts";
import { giveWay } from "../../async/give-way.ts";
import { untilAborted } from "../../async/until-aborted.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { KillLedger } from "../../jobs/kill-ledger.ts";
import { recordBeginning } from "../../journal/record-beginning.ts";
import {
  decide,
  newState,
  type ActorState,
  type RunCommand,
  type RunMessage,
  type RunStep,
  type RunWork,
} from "./decide.ts";
import { endRun } from "./end-run.ts";
import { RunCalls } from "./run-calls.ts";
import type { RunContext } from "./run-context.ts";
import { RunFetch } from "./run-fetch.ts";
import type { RunEnd } from "./run-outcome.ts";
import { createProgress, type RunProgress } from "./run-progress.ts";
import type { RunServices } from "./run-services.ts";
import { killedEvents, stopJobs } from "./stop-jobs.ts";

/**
 * Drives one run. Everything that happens to it is a message: `decide` returns commands, and this carries them out and
 * posts the results. A run that an earlier server began is replayed from its start: calls with recorded jobs are
 * answered from the log or reattached.
 */
export class RunActor {
  readonly #run: RunContext;
  readonly #services: RunServices;
  readonly #state: ActorState;
  /** Messages in order; the first is being handled. */
  readonly #mailbox: RunMessage[] = [];
  readonly #stop = new AbortController();
  readonly #fetch: RunFetch;
  readonly #progress: RunProgress;
  readonly #calls: RunCalls;
  /** The recorded sizes of steps, by step. */
  readonly #sizes = new Map<string, string>();
  readonly #settled = Promise.withResolvers<void>();
  readonly #left = Promise.withResolvers<void>();
  #inputs: CwlObject = {};
  /** How its processes were ended, if they were. */
  #ledger: KillLedger | undefined;

  constructor(run: RunContext, services: RunServices, catalog: Catalog | undefined) {
    const { runId, values, pinned = [], options } = run;
    const { reach, files } = services.access.ofRun(runId, values);
    const { signal } = this.#stop;
    this.#run = run;
    this.#state = newState(options.on_failure ?? DEFAULT_FAILURE_POLICY);
    this.#fetch = new RunFetch({ runId, services: { ...services, files }, signal, pinned });
    this.#services = { ...services, reach, files: this.#fetch.files };
    this.#progress = createProgress(run, this.#services);
    const post = (message: RunMessage) => this.#post(message);
    const around = { state: this.#state, post, stop: signal, fetch: this.#fetch, catalog, services: this.#services };
    this.#calls = new RunCalls(run, around);
    this.#post({ type: "begin" });
  }

  /** Resolves when the run is final and all its processes have ended. */
  get ended(): Promise<void> {
    return this.#left.promise;
  }

  get isReleased(): boolean {
    return this.#state.phase === "released";
  }

  /** The abort is recorded; ends every job and then the run. */
  abort(): void {
    this.#post({ type: "abort" });
  }

  /** Detaches from the run: its jobs keep running, and the next server resumes it from the log. */
  release(): void {
    this.#post({ type: "release" });
  }

  /** Queues a message; one that arrives while another is being handled is handled next. */
  #post(message: RunMessage): void {
    this.#mailbox.push(message);
    if (this.#mailbox.length > 1) return;
    for (let first = this.#mailbox[0]; first !== undefined; first = this.#mailbox[0]) {
      for (const command of decide(this.#state, first)) this.#carryOut(command);
      this.#mailbox.shift();
    }
  }

  #carryOut(command: RunCommand): void {
    if ("now" in command) return this.#step(command);
    this.#work(command).then(
      (message) => this.#post(message),
      (error: unknown) => this.#post({ type: "broken", error }),
    );
  }

  #step(step: RunStep): void {
    switch (step.now) {
      case "hold":
        return this.#calls.hold();
      case "halt":
        this.#stop.abort();
        return this.#calls.halt();
      case "detach":
        this.#fetch.close();
        return this.#calls.detach();
      case "settle":
        return this.#settled.resolve();
      case "report":
        return this.#report(step.error);
      case "leave":
        return step.error === undefined ? this.#left.resolve() : this.#left.reject(step.error);
    }
  }

  #work(work: RunWork): Promise<RunMessage> {
    switch (work.do) {
      case "bind":
        return this.#bind();
      case "begin":
        return this.#begin(work.inputs);
      case "tell":
        return this.#advance(this.#progress.callEnded(work.callId, work.outcome));
      case "yield":
        return setImmediate<RunMessage>({ type: "yielded" });
      case "continue":
        return this.#advance(this.#progress.nextCalls());
      case "submit":
        return this.#submit(work);
      case "kill":
        return this.#kill();
      case "end":
        return this.#end(work.end);
    }
  }

  async #bind(): Promise<RunMessage> {
    const { values, process, bind } = this.#run;
    try {
      await this.#fetch.fetch(values, process);
      const inputs = await bind(this.#fetch.files);
      await this.#fetch.record();
      return { type: "bound", inputs };
    } catch (error) {
      return { type: "unbound", error };
    }
  }

  async #begin(inputs: CwlObject): Promise<RunMessage> {
    this.#inputs = inputs;
    const started = { type: "run.started", run_id: this.#run.runId, actor: "engine", data: {} } as const;
    if (!(await recordBeginning([started], this.#services.journal, this.#stop.signal))) return { type: "done" };
    return this.#advance(this.#progress.start(inputs));
  }

  /** Waits for the next calls; an abort does not wait for the expressions that determine them. */
  async #advance(advancing: Promise<Advance>): Promise<RunMessage> {
    const { signal } = this.#stop;
    try {
      return { type: "advanced", advance: await untilAborted(advancing, signal) };
    } catch (error) {
      if (!signal.aborted) throw error;
      return { type: "done" };
    }
  }

  async #submit({ calls, onlyBegun }: Extract<RunWork, { do: "submit" }>): Promise<RunMessage> {
    await this.#recordSizes();
    if (calls.length > 0) await this.#calls.submit(calls, onlyBegun);
    await giveWay();
    return { type: "done" };
  }

  /** Records the number of jobs of each step whose number has changed. */
  async #recordSizes(): Promise<void> {
    const steps: RecordedStep[] = [];
    for (const [step, { jobs, skipped, isFinal }] of this.#progress.stepSizes()) {
      const text = `${jobs - skipped} ${isFinal}`;
      if (this.#sizes.get(step) === text) continue;
      this.#sizes.set(step, text);
      steps.push({ step, jobs_total: jobs - skipped, jobs_total_is_final: isFinal });
    }
    const { runId } = this.#run;
    if (steps.length > 0)
      await this.#services.journal.append([{ type: "run.steps", run_id: runId, actor: "engine", data: { steps } }]);
  }

  async #kill(): Promise<RunMessage> {
    const ledger = (this.#ledger ??= new KillLedger(Date.now()));
    const { runId } = this.#run;
    const isPointless = () => this.isReleased;
    await stopJobs({ runId, ledger, settled: this.#settled.promise, isPointless }, this.#services);
    return { type: "stopped", isProven: ledger.total.confirmed_ms !== null };
  }

  async #end(end: RunEnd): Promise<RunMessage> {
    const ledger = this.#ledger;
    const killed = ledger === undefined ? [] : killedEvents(this.#run.runId, ledger, this.#services);
    const outputNames = () => this.#progress.outputNames();
    const driven = { ...end, inputs: this.#inputs, outputNames, kill: ledger?.total, killed };
    await endRun(this.#run, driven, this.#services);
    return { type: "recorded" };
  }

  #report(error: unknown): void {
    this.#services.log("error", "run failed: internal error", {
      run_id: this.#run.runId,
      error: error instanceof Error ? error.stack : String(error),
    });
  }
}
