import { NOTHING_MEASURED } from "../executor.ts";
import type { JobExit } from "../executor.ts";
import { parseExit } from "../job-record-text.ts";
import { causeOfEnd, causeOfLoss } from "./end-causes.ts";
import type { EndedTask, QueuedTask } from "./queue-lines.ts";
import { FOLDER_NOT_FOUND } from "./sbatch-request.ts";

/** What is known of an attempt at one moment. */
export interface TaskFacts {
  /** The text of its record; empty where there is none. */
  readonly record: string;
  /** Undefined: not in the queue. */
  readonly queued: QueuedTask | undefined;
  readonly isPacked: boolean;
  readonly isKilled: boolean;
  /** So long it was not in the queue. */
  readonly missingMs: number;
  /** So long what a node wrote may be invisible here. */
  readonly latencyMs: number;
  /** How Slurm says that it ended; undefined: it does not, or was not asked yet. */
  readonly end: EndedTask | undefined;
}

export type Verdict =
  | { readonly kind: "waits" | "runs" }
  /** Slurm is to be asked how it ended before it is decided on. */
  | { readonly kind: "ask" }
  /** Nobody has begun it and nobody will, because its task has ended: it may be submitted again. */
  | { readonly kind: "unbegun" }
  | { readonly kind: "ended"; readonly exit: JobExit };

/** Codes above may stand for a signal, which Slurm may have sent. */
const LARGEST_OWN_CODE = 128;

/** The record is the truth about the end; without one, Slurm's word is, after as long as a record may take to be seen. */
export function judgeTask(facts: TaskFacts): Verdict {
  const { record, queued, isPacked, isKilled, missingMs, latencyMs, end } = facts;
  const recorded = parseExit(record);
  if (recorded !== undefined) {
    const mayBeSlurms = recorded.exitCode > LARGEST_OWN_CODE && !isKilled;
    // While its task goes on nobody has ended it, except for those that share it.
    if (mayBeSlurms && queued !== undefined && !isPacked) return { kind: "runs" };
    if (mayBeSlurms && queued === undefined && end === undefined && missingMs <= latencyMs) return { kind: "ask" };
    return { kind: "ended", exit: exitOf(facts, recorded) };
  }
  if (queued !== undefined) return { kind: queued.state === "PENDING" ? "waits" : "runs" };
  if (isKilled) return { kind: "ended", exit: { kind: "lost" } };
  if (missingMs <= latencyMs) return { kind: "waits" };
  if (end === undefined && missingMs <= 2 * latencyMs) return { kind: "ask" };
  // Its task was ended because of another of its jobs.
  if (isPacked && record === "" && end !== undefined && end.exitCode !== FOLDER_NOT_FOUND) return { kind: "unbegun" };
  return { kind: "ended", exit: { kind: "lost", cause: causeOfLoss(end) } };
}

function exitOf({ end }: TaskFacts, recorded: NonNullable<ReturnType<typeof parseExit>>): JobExit {
  const { exitCode, ...counted } = recorded;
  const maxRssBytes = end?.maxRssBytes ?? null;
  const used = {
    ...NOTHING_MEASURED,
    ...counted,
    maxRssBytes,
    memorySource: maxRssBytes === null ? null : ("slurm" as const),
  };
  const cause = exitCode > LARGEST_OWN_CODE && end !== undefined ? causeOfEnd(end) : undefined;
  return { kind: "exited", exitCode, used, ...(cause === undefined ? {} : { cause }) };
}
