import { createHash } from "node:crypto";
import type { JobSelector } from "../executor.ts";

/**
 * A number that every process of a job inherits and that no program sheds by accident: the limit of file locks
 * (RLIMIT_LOCKS), which Linux has kept for each process since 2.4.25 without acting on it. It goes through fork and exec,
 * through `env -i`, `setsid`, a double fork and closed files; an ordinary account may lower it, never raise it. Anybody may
 * read it in /proc/PID/limits, of programs with other rights too. The upper half names the run, the lower one the attempt.
 */
const JOB_BITS = 26n;
const RUN_BITS = 36n;
/** Above every limit that a person would set, below the largest that shells can read. */
const OURS = 1n << (JOB_BITS + RUN_BITS);

/** The stamp of one attempt. Two attempts of one run share it once in 67 million, so the environment has the last word. */
export function stampOf(runId: string, job: { readonly jobId: string; readonly attempt: number }): bigint {
  return OURS | (hash(runId, RUN_BITS) << JOB_BITS) | hash(`${job.jobId}/${job.attempt}`, JOB_BITS);
}

/** Whether a stamp is that of the attempt, or of any attempt of the run. */
export function isStampOf(stamp: bigint, { runId, job }: JobSelector): boolean {
  if (job !== undefined) return stamp === stampOf(runId, job);
  return stamp >> JOB_BITS === (OURS >> JOB_BITS) + hash(runId, RUN_BITS);
}

/** Reads the text of /proc/PID/limits; undefined where there is no such limit, or one that is not ours. */
export function parseStamp(limits: string): bigint | undefined {
  const soft = /^Max file locks +(\d+) /m.exec(limits)?.[1];
  const stamp = soft === undefined ? undefined : BigInt(soft);
  return stamp !== undefined && (stamp & OURS) !== 0n && stamp < OURS << 1n ? stamp : undefined;
}

/** Whether processes that are started from one with these limits can be given a stamp: the limit is still free. */
export function canStamp(limits: string): boolean {
  return /^Max file locks +unlimited +unlimited /m.test(limits);
}

function hash(text: string, bits: bigint): bigint {
  return BigInt.asUintN(Number(bits), createHash("sha256").update(text).digest().readBigUInt64BE());
}
