import { NOTHING_MEASURED } from "../executor.ts";
import type { JobExit } from "../executor.ts";
import { parseExit } from "../job-record-text.ts";
import type { RecordedExit } from "../job-record-text.ts";
import { causeOfEnd, causeOfLoss } from "./end-causes.ts";
import type { EndedTask, QueuedTask } from "./queue-lines.ts";
import { FOLDER_NOT_FOUND } from "./sbatch-request.ts";

/** What is known of an attempt at one moment. */
export interface TaskFacts {
  /** The text of its record; empty where nobody has begun it. */
  readonly record: string;
  /** Undefined: not in the queue. */
  readonly queued: QueuedTask | undefined;
  readonly isPacked: boolean;
  readonly isKilled: boolean;
  /** Slurm keeps accounts, which tell the memory of a task once it has ended. */
  readonly isCounted: boolean;
  /** So long it was not in the queue. */
  readonly missingMs: number;
  /** So long what a node wrote may be invisible here. */
  readonly latencyMs: number;
  /** How Slurm says that it ended; undefined: it was not asked yet, or did not answer. */
  readonly end: EndedTask | "unknown" | undefined;
}

export type Verdict =
  | { readonly kind: "waits" | "runs" }
  /** Slurm is to be asked how it ended before it is decided on. */
  | { readonly kind: "ask" }
  /** Nobody has begun it and nobody will, because its task has ended: it may be submitted again. */
  | { readonly kind: "unbegun" }
  | { readonly kind: "ended"; readonly exit: JobExit };

/** So long Slurm is asked how a task ended. */
const ASKED_FOR_MS = 60_000;

/** The signals that Slurm ends jobs by, as codes. */
const SLURMS_SIGNALS: ReadonlySet<number> = new Set([137, 143]);

/** The record is the truth about the end; without one, Slurm's word is, after as long as a record may take to be seen. */
export function judgeTask(facts: TaskFacts): Verdict {
  const { record, queued, isPacked, isKilled, missingMs, latencyMs, end } = facts;
  const recorded = parseExit(record);
  if (recorded !== undefined) return judgeEnded(facts, recorded);
  // It was claimed so that it is not begun any more; those that share its task go on.
  if (isKilled && isPacked && record === "") return { kind: "ended", exit: { kind: "lost" } };
  if (queued !== undefined) return { kind: queued.state === "PENDING" ? "waits" : "runs" };
  if (isKilled) return { kind: "ended", exit: { kind: "lost" } };
  if (missingMs <= latencyMs) return { kind: "waits" };
  if (isToBeAsked(facts)) return { kind: "ask" };
  const known = end === "unknown" ? undefined : end;
  // Its task was ended because of another of its jobs.
  if (isPacked && record === "" && known !== undefined && known.exitCode !== FOLDER_NOT_FOUND)
    return { kind: "unbegun" };
  return { kind: "ended", exit: { kind: "lost", cause: causeOfLoss(known) } };
}

/** The program has ended; while its task is in the queue, Slurm does not say yet whether it had a hand in that. */
function judgeEnded(facts: TaskFacts, recorded: RecordedExit): Verdict {
  const { queued, isPacked, isKilled, isCounted } = facts;
  const isAwaited = !isKilled && (mayBeSlurms(facts, recorded.exitCode) || (isCounted && !isPacked));
  if (isAwaited && queued !== undefined) return { kind: "runs" };
  if (isAwaited && isToBeAsked(facts)) return { kind: "ask" };
  return { kind: "ended", exit: exitOf(facts, recorded) };
}

/** Where Slurm tells of its queue but never of ends, nothing is waited for without end. */
function isToBeAsked({ end, missingMs, latencyMs }: TaskFacts): boolean {
  return end === undefined && missingMs <= latencyMs + ASKED_FOR_MS;
}

/** A program may end in its own way when it is told to; of those that share a task only a signal counts. */
function mayBeSlurms({ isPacked }: TaskFacts, exitCode: number): boolean {
  return isPacked ? SLURMS_SIGNALS.has(exitCode) : exitCode !== 0;
}

function exitOf(facts: TaskFacts, { exitCode, ...counted }: RecordedExit): JobExit {
  const end = facts.end === "unknown" ? undefined : facts.end;
  const maxRssBytes = facts.isPacked ? null : (end?.maxRssBytes ?? null);
  const memorySource = maxRssBytes === null ? null : ("slurm" as const);
  const used = { ...NOTHING_MEASURED, ...counted, maxRssBytes, memorySource };
  const cause = end !== undefined && mayBeSlurms(facts, exitCode) ? causeOfEnd(end) : undefined;
  return { kind: "exited", exitCode, used, ...(cause === undefined ? {} : { cause }) };
}
