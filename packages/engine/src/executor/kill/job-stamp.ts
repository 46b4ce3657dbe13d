import { createHash } from "node:crypto";
import type { JobSelector } from "../executor.ts";

/**
 * A number that every process of a job inherits and that no program drops by accident: the limit of file locks
 * (RLIMIT_LOCKS). Linux has kept it for each process since 2.4.25 without enforcing it. It survives fork and exec, `env
 * -i`, `setsid`, a double fork and closed files; an ordinary account can lower it but never raise it. Any account can
 * read it in /proc/PID/limits, even for programs with other rights. The upper half identifies the run, the lower half
 * the attempt.
 */
const JOB_BITS = 26n;
const RUN_BITS = 36n;
/** Greater than any limit that a person would set, but small enough for shells to parse. */
const OURS = 1n << (JOB_BITS + RUN_BITS);

/**
 * The stamp of one attempt. Two attempts of one run collide once in 67 million, so the environment takes precedence.
 */
export function stampOf(runId: string, job: { readonly jobId: string; readonly attempt: number }): bigint {
  return OURS | (hash(runId, RUN_BITS) << JOB_BITS) | hash(`${job.jobId}/${job.attempt}`, JOB_BITS);
}

/** Whether a stamp belongs to the attempt, or to any attempt of the run. */
export function isStampOf(stamp: bigint, { runId, job }: JobSelector): boolean {
  if (job !== undefined) return stamp === stampOf(runId, job);
  return stamp >> JOB_BITS === (OURS >> JOB_BITS) + hash(runId, RUN_BITS);
}

/** Parses /proc/PID/limits; undefined if the limit is missing or not a Weft stamp. */
export function parseStamp(limits: string): bigint | undefined {
  const soft = /^Max file locks +(\d+) /m.exec(limits)?.[1];
  const stamp = soft === undefined ? undefined : BigInt(soft);
  return stamp !== undefined && (stamp & OURS) !== 0n && stamp < OURS << 1n ? stamp : undefined;
}

/** Whether children of a process with these limits can be stamped: the limit is still free. */
export function canStamp(limits: string): boolean {
  return /^Max file locks +unlimited +unlimited /m.test(limits);
}

function hash(text: string, bits: bigint): bigint {
  return BigInt.asUintN(Number(bits), createHash("sha256").update(text).digest().readBigUInt64BE());
}
