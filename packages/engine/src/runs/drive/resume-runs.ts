import { setTimeout as pause } from "node:timers/promises";
import { createEvaluator } from "@weft/cwl/expression/evaluate.ts";
import { bindInputs } from "@weft/cwl/files/bind-inputs.ts";
import { effectiveRequirements } from "@weft/cwl/model/effective-requirements.ts";
import { secretInputs } from "@weft/cwl/model/secret-inputs.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { StateReason } from "@weft/shared/records/state.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { giveWay } from "../../async/give-way.ts";
import { untilAborted } from "../../async/until-aborted.ts";
import { brokenRun, DamagedRecord, type JobFailure } from "../../jobs/job-failure.ts";
import { KillLedger } from "../../jobs/kill-ledger.ts";
import { restoreValues } from "../../values/record-values.ts";
import type { RunRow } from "../../journal/rows.ts";
import { unlessStorageFails } from "../../journal/unless-storage-fails.ts";
import { archiveEvents } from "./end-run.ts";
import { CrashHistory, MAX_CRASHES, PROGRESS } from "./crash-history.ts";
import { originalRun } from "./run-context.ts";
import { loadOfRun } from "../../catalog/recorded-document.ts";
import type { RunRegistry } from "./run-registry.ts";
import type { RunServices } from "./run-services.ts";
import { killedEvents, stopJobs } from "./stop-jobs.ts";

/** The time for which a suspect run is watched before the next one is resumed. */
const PROBATION_MS = 30_000;

export interface ResumptionOptions {
  readonly services: RunServices;
  readonly registry: RunRegistry;
  readonly catalog: Catalog;
  readonly probationMs?: number | undefined;
  /** Resolves when the server listens, which starts resuming runs. Absent: start immediately. */
  readonly listening?: Promise<void> | undefined;
}

const SUSPECT = `the server crashed ${MAX_CRASHES} times within ten minutes while this run was active and made no progress`;
const HELD: StateReason = {
  code: "ENGINE",
  message: `${SUSPECT}; its running jobs continue, and nothing else happens until the run is resumed`,
  hint: "check the server's log and the machine's memory, then resume the run or abort it",
};
/** The failure of jobs of a run that is being aborted. */
const GIVEN_UP: JobFailure = {
  state: "SYSTEM_ERROR",
  reason: { code: "ENGINE", message: SUSPECT, hint: "check the server's log and the machine's memory" },
};

/**
 * Resumes every run that an earlier server left open, one by one in the background. A run that cannot be resumed ends
 * with the reason; the others continue. A run that keeps crashing the server is paused until someone resumes or aborts
 * it; before that, suspect runs are resumed one at a time (docs/adr/0103).
 */
export class RunResumption {
  readonly #options: ResumptionOptions;
  readonly #hastened = new AbortController();
  /** Runs that are paused and that nobody drives. */
  readonly #held = new Set<string>();
  readonly #unsubscribe: () => void;
  #isStopped = false;
  /** Resolves when every run has been resumed or has ended, or when this was stopped. Never rejects. */
  readonly done: Promise<void>;

  constructor(options: ResumptionOptions) {
    this.#options = options;
    this.#unsubscribe = options.services.journal.subscribe((events) => {
      for (const { type, run_id: runId } of events)
        if (runId !== null && (type === "run.resumed" || type === "run.canceling")) void this.#release(runId);
    });
    this.done = this.#resumeAll().catch((error: unknown) =>
      options.services.log("error", "runs could not be resumed", { error: String(error) }),
    );
  }

  /** Resumes the remaining runs without watching each. */
  hasten(): Promise<void> {
    this.#hastened.abort();
    return this.done;
  }

  /** Drives the runs that keep crashing the server again: all runs are to be aborted. */
  async releaseHeld(): Promise<void> {
    await Promise.all([...this.#held].map((runId) => this.#release(runId)));
  }

  /** Leaves the remaining runs to the next server. */
  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe();
    this.#hastened.abort();
  }

  async #resumeAll(): Promise<void> {
    const { services, listening } = this.#options;
    const { journal } = services;
    await untilAborted(Promise.resolve(listening), this.#hastened.signal, () => {});
    const history = new CrashHistory(journal.read, journal.nowMs());
    const ending: Promise<void>[] = [];
    const suspects: string[] = [];
    for (const row of journal.read.openRuns()) {
      await giveWay();
      const { runId } = row;
      const crashes = history.crashesOf(runId);
      if (isHeld(row)) this.#held.add(runId);
      else if (crashes >= MAX_CRASHES && row.state === "CANCELING") ending.push(this.#end(runId, GIVEN_UP));
      else if (crashes >= MAX_CRASHES) ending.push(this.#hold(runId));
      else if (crashes === MAX_CRASHES - 1) suspects.push(runId);
      else await this.#resume(runId, { alone: false });
    }
    for (const [index, runId] of suspects.entries()) {
      await this.#resume(runId, { alone: true });
      if (index < suspects.length - 1) await this.#watch(runId);
    }
    await Promise.all(ending);
  }

  /** The run's jobs are left alone: it may be innocent, and they may have run for days. */
  async #hold(runId: string): Promise<void> {
    const { journal, log } = this.#options.services;
    this.#held.add(runId);
    try {
      const recorded = journal.append([{ type: "run.paused", run_id: runId, actor: "engine", data: { reason: HELD } }]);
      await unlessStorageFails(recorded, journal);
      log("error", "a run was paused instead of being resumed", { run_id: runId, reason: HELD.message });
    } catch (error) {
      log("error", "a run could not be paused", { run_id: runId, error: String(error) });
    }
  }

  async #release(runId: string): Promise<void> {
    if (this.#held.delete(runId)) await this.#resume(runId, { alone: false });
  }

  async #resume(runId: string, data: { readonly alone: boolean }): Promise<void> {
    const { services } = this.#options;
    const { journal, log } = services;
    if (this.#isStopped) return;
    try {
      // Check before the log rewrites it.
      requireWhole(journal.read.run(runId)?.damaged ?? []);
      // A failing disk must not prevent an abort of the run.
      const recorded = journal.append([{ type: "run.reattached", run_id: runId, actor: "engine", data }]);
      await unlessStorageFails(recorded, journal);
      await this.#drive(runId);
    } catch (error) {
      log("error", "a run could not be resumed", { run_id: runId, error: String(error) });
      await this.#end(runId, brokenRun(error));
    }
  }

  async #drive(runId: string): Promise<void> {
    const { services, registry, catalog } = this.#options;
    const { read } = services.journal;
    const row = read.run(runId);
    if (row === undefined || isFinal(row.state)) return;
    const begun = await loadOfRun(row, services, catalog);
    if (begun === undefined) throw new Error("the run's document can no longer be read");
    // A caller may have paused or aborted it meanwhile.
    const { state } = read.run(runId) ?? row;
    if (this.#isStopped || isFinal(state)) return;
    const { process, formats } = begun;
    services.secrets.inspect(runId, state !== "CANCELING" && secretInputs(process).size > 0);
    const values = restoreValues(read.blob(row.inputs), services.uris);
    const requirements = effectiveRequirements([process]);
    const { script, limits } = services;
    const evaluator = createEvaluator({ script, requirements, cwlVersion: process.cwlVersion, limits });
    const actor = registry.start({
      runId,
      process,
      place: row,
      formats,
      values,
      bind: (files) => bindInputs({ process, values, files, evaluator, requirements, ...formats }),
      pinned: read.pinnedFiles(runId),
      options: row.options,
      samples: row.samples,
      sinks: row.sinks,
      recorded: (callId) => {
        const job = read.jobByCall(runId, callId);
        requireWhole(job?.damaged ?? []);
        return job;
      },
      ...(row.reproduces === null ? {} : { original: originalRun(row.reproduces.run_id, read) }),
      jobsRecorded: read.lastJobNumber(runId),
    });
    // Pause it before it can submit a job: it does not even have its inputs yet.
    if (state === "PAUSED") services.scheduler.pause(runId);
    if (state === "CANCELING") actor.abort();
    services.log("info", "a run was resumed", { run_id: runId, state });
  }

  /** Ends a run that is not driven, and all remaining processes of its jobs. */
  async #end(runId: string, failure: JobFailure): Promise<void> {
    const { services } = this.#options;
    const { journal, log, secrets } = services;
    try {
      const ledger = new KillLedger(Date.now());
      await stopJobs({ runId, ledger, settled: Promise.resolve(), isPointless: () => this.#isStopped }, services);
      // The next server continues ending it.
      if (ledger.total.confirmed_ms === null) return;
      const data = { ...failure, outcome: "failure" as const, outputs: null, files: [], kill: ledger.total };
      const killed = killedEvents(runId, ledger, services);
      const ended = { type: "run.ended", run_id: runId, actor: "engine", data } as const;
      await journal.append([...killed, ended, ...archiveEvents(runId, journal.read)]);
      secrets.forgetLeft(runId);
      log("error", "a run was ended instead of being resumed", { run_id: runId, reason: failure.reason.message });
    } catch (error) {
      if (!this.#isStopped) log("error", "a run could not be ended", { run_id: runId, error: String(error) });
    }
  }

  /** Resolves when the run has made progress or ended, or when it has been watched long enough. */
  async #watch(runId: string): Promise<void> {
    const { services, probationMs = PROBATION_MS } = this.#options;
    const cleared = new AbortController();
    const clears: ReadonlySet<string> = new Set([...PROGRESS, "run.ended"]);
    const stop = services.journal.subscribe((events) => {
      if (events.some(({ run_id, type }) => run_id === runId && clears.has(type))) cleared.abort();
    });
    const signal = AbortSignal.any([cleared.signal, this.#hastened.signal]);
    await pause(probationMs, undefined, { signal, ref: false }).catch(() => undefined); // aborted: stop waiting
    stop();
  }
}

/** True if an earlier server paused the run after repeated crashes. */
function isHeld({ state, reason }: Pick<RunRow, "state" | "reason">): boolean {
  return state === "PAUSED" && reason?.code === HELD.code;
}

function requireWhole(damaged: readonly string[]): void {
  if (damaged.length > 0) throw new DamagedRecord(damaged);
}
