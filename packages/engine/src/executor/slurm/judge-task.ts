import { NOTHING_MEASURED, type BackendCause, type JobExit } from "../executor.ts";
import { parseExit, type RecordedExit } from "../job-record-text.ts";
import type { Verdict } from "../remote/remote-system.ts";
import { causeOfEnd, causeOfLoss, outOfMemory } from "./end-causes.ts";
import type { EndedTask, QueuedTask } from "./queue-lines.ts";
import { FOLDER_NOT_FOUND } from "./sbatch-request.ts";

/** Facts about an attempt at one moment. */
export interface TaskFacts {
  /** The text of the record; empty if the job has not begun. */
  readonly record: string;
  /** The entry in the queue; undefined if there is none. */
  readonly queued: QueuedTask | undefined;
  readonly isPacked: boolean;
  readonly isKilled: boolean;
  /** Slurm keeps accounting records, which include the memory of a finished task. */
  readonly isCounted: boolean;
  /** The time for which the queue did not list it, and the number of successive polls that did not find it. */
  readonly missingMs: number;
  readonly missingLooks: number;
  /** The maximum time until files that a node wrote become visible on this machine. */
  readonly latencyMs: number;
  /** The end of the job according to Slurm; undefined if it has not been queried or did not respond. */
  readonly end: EndedTask | "unknown" | undefined;
  /** The number of times that Slurm has forgotten the job before it began. */
  readonly timesForgotten: number;
}

/** `ask`: ask Slurm how the task ended before deciding. */
type Judgment = Verdict | { readonly kind: "ask" };

/** The time for which Slurm is queried for the end of a task. */
const ASKED_FOR_MS = 60_000;
/** If the queue lacks a task this often, Slurm is not merely reloading. */
const LOOKS_UNTIL_MISSED = 3;
/** The maximum number of times that Slurm may forget a job: a controller that loses its state does not explain more. */
const FORGOTTEN_AT_MOST = 5;

/** Exit codes of the signals with which Slurm ends jobs. */
const SLURMS_SIGNALS: ReadonlySet<number> = new Set([137, 143]);

/** The record is the truth about the exit. If no record has become visible in time, Slurm's report decides. */
export function judgeTask(facts: TaskFacts): Judgment {
  const { record, queued, isPacked, isKilled, missingMs, latencyMs, end } = facts;
  const recorded = parseExit(record);
  if (recorded !== undefined) return judgeEnded(facts, recorded);
  // The attempt was claimed to prevent its start; others in its task continue.
  if (isKilled && isPacked && record === "") return { kind: "ended", exit: { kind: "lost" } };
  if (queued !== undefined) return { kind: queued.state === "PENDING" ? "waits" : "runs" };
  if (isKilled) return { kind: "ended", exit: { kind: "lost" } };
  if (missingMs <= latencyMs || facts.missingLooks < LOOKS_UNTIL_MISSED) return { kind: "waits" };
  if (shouldAsk(facts)) return { kind: "ask" };
  const known = end === "unknown" ? undefined : end;
  if (record === "" && mayBeginAgain(facts, known)) return { kind: "unbegun" };
  return { kind: "ended", exit: { kind: "lost", cause: causeOfLoss(known) } };
}

/** The task ended because of another of its jobs, or a controller crashed and forgot what it had accepted. */
function mayBeginAgain({ isPacked, timesForgotten }: TaskFacts, known: EndedTask | undefined): boolean {
  if (known === undefined) return timesForgotten < FORGOTTEN_AT_MOST;
  return isPacked && known.exitCode !== FOLDER_NOT_FOUND;
}

/** The program has ended. While its task is in the queue, Slurm does not yet report whether it ended the program. */
function judgeEnded(facts: TaskFacts, recorded: RecordedExit): Judgment {
  const { queued, isPacked, isKilled, isCounted } = facts;
  // The node's own count of kills by the kernel is the best source.
  const isOutOfMemory = oomKillsIn(facts.record) > 0;
  const isAwaited = !isKilled && !isOutOfMemory && (mayBeSlurms(facts, recorded.exitCode) || (isCounted && !isPacked));
  if (isAwaited && queued !== undefined) return { kind: "runs" };
  if (isAwaited && shouldAsk(facts)) return { kind: "ask" };
  return { kind: "ended", exit: exitOf(facts, recorded) };
}

/** Limits the wait for a Slurm that reports its queue but no ends. */
function shouldAsk({ end, missingMs, latencyMs }: TaskFacts): boolean {
  return end === undefined && missingMs <= latencyMs + ASKED_FOR_MS;
}

/** A program may exit in its own way when asked to end; in a shared task, only a signal counts. */
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

/** A program may succeed although some of its processes were killed for lack of memory; its outputs are incomplete. */
function causeOfExit(facts: TaskFacts, exitCode: number, end: EndedTask | undefined): BackendCause | undefined {
  const kills = facts.isKilled ? 0 : oomKillsIn(facts.record);
  if (kills > 0) return outOfMemory(kills, facts.record);
  const isWorthTelling = mayBeSlurms(facts, exitCode) || (end?.state === "OUT_OF_MEMORY" && !facts.isPacked);
  return end !== undefined && isWorthTelling ? causeOfEnd(end) : undefined;
}

/** Processes of the job that the kernel of its node killed for lack of memory. */
function oomKillsIn(record: string): number {
  return Number(/^oom (\d+)$/m.exec(record)?.[1] ?? 0);
}
