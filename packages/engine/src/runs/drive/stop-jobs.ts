import { setTimeout as pause } from "node:timers/promises";
import { giveWay } from "../../async/give-way.ts";
import { takeClaim } from "../../executor/inspect-attempt.ts";
import { attemptFolder } from "../../files/attempt-folder.ts";
import type { KillLedger } from "../../jobs/kill-ledger.ts";
import type { NewEvent } from "../../journal/journal-event.ts";
import type { KillReport, KillTarget } from "../../executor/executor.ts";
import { untilProven } from "../../executor/tracker.ts";
import type { Journal } from "../../journal/journal.ts";
import type { JobServices } from "../../jobs/job-services.ts";

const AGAIN_MS = 100;
const JOBS_AT_ONCE = 5000;

export interface StoppedRun {
  readonly runId: string;
  readonly ledger: KillLedger;
  /** Resolves when no job is in progress. */
  readonly settled: Promise<void>;
  /** True if no caller waits for the proof, because the server detaches from the run. */
  readonly isPointless: () => boolean;
}

/** Ends every process of a run, waits until no job is in progress, and verifies again that none remain. */
export async function stopJobs(run: StoppedRun, services: JobServices): Promise<void> {
  const { runId, ledger, isPointless } = run;
  const { executor, graceMs } = services;
  let isSettled = false;
  const settled = run.settled.then(() => (isSettled = true));
  // A detaching server closes its executor, which then reports no more ends of jobs.
  while (!isSettled && !isPointless()) {
    ledger.add(await executor.cancel({ runId, graceMs }), Date.now());
    await Promise.race([settled, pause(AGAIN_MS)]);
  }
  await keepFromStarting(runId, services);
  const last = await killUntilProven({ runId, graceMs: 0 }, services, isPointless);
  ledger.add(last, Date.now());
}

/** Claims attempts whose wrappers may still start late, so that they do not run a program. */
async function keepFromStarting(runId: string, services: JobServices): Promise<void> {
  const { read } = services.journal;
  const last = read.lastJobNumber(runId);
  for (let from = 0; from <= last; from += JOBS_AT_ONCE) {
    await giveWay();
    const attempts = read.lateAttempts(runId, { from, to: from + JOBS_AT_ONCE - 1 });
    for (const attempt of attempts) claim({ ...attempt, runId }, services);
  }
}

function claim(
  { runId, ...attempt }: { readonly runId: string; readonly jobId: string; readonly attempt: number },
  { runsFolder, log }: JobServices,
): void {
  try {
    takeClaim(attemptFolder(runsFolder, runId, attempt));
  } catch (error) {
    const fields = { run_id: runId, job_id: attempt.jobId, error: String(error) };
    log("warn", "an attempt that may not have begun could not be claimed", fields);
  }
}

/**
 * The kill events of a run: one for each job that was ended with the run, or whose processes were found. Append them
 * together with the run's end; otherwise, after a crash, the next server ends and reports the processes that it finds.
 */
export function killedEvents(
  runId: string,
  ledger: KillLedger,
  { journal }: { readonly journal: Journal },
): readonly NewEvent[] {
  const stopped = journal.read.stoppedJobs(runId);
  const known = new Set(stopped.map(({ jobId }) => jobId));
  const found = ledger.named.filter(({ jobId }) => !known.has(jobId));
  return [...stopped, ...found].map(({ jobId, attempt }) => ({
    type: "job.killed",
    run_id: runId,
    job_id: jobId,
    actor: "engine",
    data: { attempt, ...ledger.of({ jobId, attempt }) },
  }));
}

/**
 * Ends processes until the executor has proven that none is left. Retries if one cannot be killed or a container engine
 * does not respond, because the executor's report is the only proof. `isPointless`: no caller waits for it any more.
 */
export function killUntilProven(
  target: KillTarget,
  { executor, log }: JobServices,
  isPointless: () => boolean,
): Promise<KillReport> {
  return untilProven(
    () => executor.cancel(target),
    isPointless,
    ({ left }) =>
      log("error", "processes of a run could not be ended yet; trying again", {
        run_id: target.runId,
        process_ids: left,
      }),
  );
}
