import { NOTHING_MEASURED } from "../executor.ts";
import type { BackendCause, JobExit } from "../executor.ts";
import { parseExit } from "../job-record-text.ts";
import type { RecordedExit } from "../job-record-text.ts";
import { causeOfEnd, causeOfLoss, outOfMemory } from "./end-causes.ts";
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
  /** So long it was not in the queue, and so many looks in a row. */
  readonly missingMs: number;
  readonly missingLooks: number;
  /** So long what a node wrote may be invisible here. */
  readonly latencyMs: number;
  /** How Slurm says that it ended; undefined: it was not asked yet, or did not answer. */
  readonly end: EndedTask | "unknown" | undefined;
  /** So often Slurm has forgotten it before anybody had begun it. */
  readonly timesForgotten: number;
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
/** A queue that was seen without it this often is not one that was being read anew. */
const LOOKS_UNTIL_MISSED = 3;
/** More than by a controller that loses its state again and again. */
const FORGOTTEN_AT_MOST = 5;

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
  if (missingMs <= latencyMs || facts.missingLooks < LOOKS_UNTIL_MISSED) return { kind: "waits" };
  if (isToBeAsked(facts)) return { kind: "ask" };
  const known = end === "unknown" ? undefined : end;
  if (record === "" && mayBeginAgain(facts, known)) return { kind: "unbegun" };
  return { kind: "ended", exit: { kind: "lost", cause: causeOfLoss(known) } };
}

/** Its task was ended because of another of its jobs, or a controller that crashed has forgotten what it had accepted. */
function mayBeginAgain({ isPacked, timesForgotten }: TaskFacts, known: EndedTask | undefined): boolean {
  if (known === undefined) return timesForgotten < FORGOTTEN_AT_MOST;
  return isPacked && known.exitCode !== FOLDER_NOT_FOUND;
}

/** The program has ended; while its task is in the queue, Slurm does not say yet whether it had a hand in that. */
function judgeEnded(facts: TaskFacts, recorded: RecordedExit): Verdict {
  const { queued, isPacked, isKilled, isCounted } = facts;
  // The node has counted what the kernel ended: nobody knows better.
  const isOutOfMemory = oomKillsIn(facts.record) > 0;
  const isAwaited = !isKilled && !isOutOfMemory && (mayBeSlurms(facts, recorded.exitCode) || (isCounted && !isPacked));
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
  const cause = causeOfExit(facts, exitCode, end);
  return { kind: "exited", exitCode, used, ...(cause === undefined ? {} : { cause }) };
}

/** A program may end well although some of its processes were ended for lack of memory: what it made is not whole. */
function causeOfExit(facts: TaskFacts, exitCode: number, end: EndedTask | undefined): BackendCause | undefined {
  const kills = facts.isKilled ? 0 : oomKillsIn(facts.record);
  if (kills > 0) return outOfMemory(kills, facts.record);
  const isWorthTelling = mayBeSlurms(facts, exitCode) || (end?.state === "OUT_OF_MEMORY" && !facts.isPacked);
  return end !== undefined && isWorthTelling ? causeOfEnd(end) : undefined;
}

/** Processes of the job that the kernel of its node has ended for lack of memory. */
function oomKillsIn(record: string): number {
  return Number(/^oom (\d+)$/m.exec(record)?.[1] ?? 0);
}
