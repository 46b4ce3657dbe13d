import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import type { Executor, JobExit, RunningJob } from "../executor/executor.ts";
import type { Job } from "./job.ts";
import { KillLedger } from "./kill-ledger.ts";
import type { Log } from "../log.ts";

/** A job exceeded its time limit. */
export interface TimeLimit {
  readonly seconds: number;
  /** Undefined if processes could not be examined. */
  readonly kill: RecordedKill | undefined;
}

export interface TimeLimitServices {
  readonly executor: Executor;
  readonly graceMs: number;
  readonly log: Log;
}

interface Limited {
  /** Undefined or 0: none. */
  readonly seconds: number | undefined;
  readonly services: TimeLimitServices;
}

/** Waits for the end; ends the job's processes when it exceeds the tool's time limit. */
export async function waitForExit(
  job: Job,
  running: RunningJob,
  { seconds, services }: Limited,
): Promise<{ readonly exit: JobExit; readonly timeLimit: TimeLimit | undefined }> {
  if (seconds === undefined || seconds <= 0) return { exit: await running.exit, timeLimit: undefined };
  let killed: Promise<RecordedKill | undefined> | undefined;
  // Its end arrives through `running.exit` like any other.
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  // Time waiting at its backend does not count.
  const begin = () => setTimeout(() => (killed = endLate(job, services)), seconds * 1000);
  void running.started.then(() => (timer = hasEnded ? undefined : begin()));
  const exit = await running.exit;
  hasEnded = true;
  clearTimeout(timer);
  if (killed === undefined) return { exit, timeLimit: undefined };
  // The program has ended, but its children may not have: the job is over when no process is left.
  const kill = await killed;
  return { exit, timeLimit: hasEndedBefore(exit, kill) ? undefined : { seconds, kill } };
}

/** It had ended by itself: it became known only after the limit, as from a backend that is asked now and then. */
function hasEndedBefore(exit: JobExit, kill: RecordedKill | undefined): boolean {
  return exit.kind === "exited" && kill?.processes_found === 0 && kill.confirmed_ms !== null;
}

async function endLate({ runId, jobId, attempt }: Job, services: TimeLimitServices): Promise<RecordedKill | undefined> {
  const ledger = new KillLedger(Date.now());
  const job = { jobId, attempt };
  try {
    ledger.add(await services.executor.kill({ runId, job, graceMs: services.graceMs }), Date.now());
    return ledger.of(job);
  } catch (error) {
    const fields = { run_id: runId, job_id: jobId, error: String(error) };
    services.log("error", "a job past its time limit could not be ended", fields);
    return undefined;
  }
}
