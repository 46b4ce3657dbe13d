import { setTimeout as pause } from "node:timers/promises";
import { KillLedger } from "../job/kill-ledger.ts";
import type { NewEvent, RecordedKill } from "../journal/journal-event.ts";
import { killUntilProven } from "./kill-until-proven.ts";
import type { RunServices } from "./run-services.ts";

const AGAIN_MS = 100;

export interface StoppedRun {
  readonly runId: string;
  /** The jobs that are under way; each resolves when its end is on record. */
  readonly jobs: Iterable<Promise<unknown>>;
  /** Nobody waits for it any more: the server lets go of the run. */
  readonly isPointless: () => boolean;
}

/**
 * Ends every process of a run, waits until none of its jobs is under way, proves once more that nothing is left, and has
 * on record how each job was ended. Whatever a crash leaves of this is done again by the next server, which then finds less to end.
 */
export async function stopJobs(run: StoppedRun, services: RunServices): Promise<RecordedKill> {
  const { runId, isPointless } = run;
  const { executor, graceMs, journal } = services;
  const ledger = new KillLedger(Date.now());
  let isSettled = false;
  const settled = Promise.all(run.jobs).then(() => (isSettled = true));
  while (!isSettled) {
    ledger.add(await executor.kill({ runId, graceMs }), Date.now());
    await Promise.race([settled, pause(AGAIN_MS)]);
  }
  const last = await killUntilProven({ runId, graceMs: 0 }, services, isPointless);
  ledger.add(last, Date.now());
  if (!isPointless()) await journal.append(killedEvents(runId, ledger, services));
  return ledger.total;
}

/** One for each job that was ended with the run, or of which anything was found. */
function killedEvents(runId: string, ledger: KillLedger, { journal }: RunServices): readonly NewEvent[] {
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
