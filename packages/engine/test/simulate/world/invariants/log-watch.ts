import type { DatabaseSync } from "node:sqlite";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { RunState } from "@weft/shared/records/state.ts";
import { eventHash, FIRST_HASH, toStoredEvent } from "../../../../src/journal/event-hash.ts";
import type { Journal } from "../../../../src/journal/journal.ts";
import type { Execution, Programs } from "../../backends/programs.ts";
import type { History } from "../history.ts";
import type { KillingEvent } from "../plan.ts";
import { Violation } from "../violation.ts";

/** Events that may follow the end of a run: they say something about it and change nothing. */
const AFTERWARDS = new Set([
  "run.described",
  "run.inputs",
  "run.steps",
  "run.measured",
  "job.late",
  "job.exited",
  "job.running",
]);

/** How the reason begins if the server gave up an abort after three crashes. */
const GIVEN_UP = "the server crashed";

/** Reads every commit as soon as it is made, and checks what must hold after each. */
export class LogWatch {
  readonly #database: () => DatabaseSync;
  readonly #programs: Programs;
  readonly #history: History;
  /** Final states, by `run` and `run/job`. */
  readonly #final = new Map<string, string>();
  readonly #open = new Set<string>();
  readonly #canceling = new Set<string>();
  /** Why attempts that were followed by others failed, by `run/job@attempt`. */
  readonly #retried = new Map<string, string>();
  /** Acknowledged events, by number. */
  readonly #acknowledged = new Map<number, string>();
  /** Called for each event that is read, again after each restart. */
  onEvent: (event: ReturnType<typeof toStoredEvent>) => void = () => {};
  #awaited: { readonly type: KillingEvent; readonly act: () => void } | undefined;
  #lastSeq = 0;
  #lastHash = FIRST_HASH;
  #broken: Violation | undefined;

  constructor(database: () => DatabaseSync, programs: Programs, history: History) {
    this.#database = database;
    this.#programs = programs;
    this.#history = history;
  }

  /** Remembered instead of thrown: the engine would catch it. */
  breaks(invariant: string, message: string): void {
    this.#broken ??= new Violation(invariant, message);
  }

  get broken(): Violation | undefined {
    return this.#broken;
  }

  openRuns(): readonly string[] {
    return [...this.#open];
  }

  /** The run's abort is recorded, and it has not ended. */
  isCanceling(runId: string): boolean {
    return this.#canceling.has(runId);
  }

  hasEnded(runId: string): boolean {
    return this.#final.has(runId);
  }

  /** The code with which an attempt failed that was followed by another. */
  failureOf({ runId, jobId, attempt }: Pick<Execution, "runId" | "jobId" | "attempt">): string | undefined {
    return this.#retried.get(`${runId}/${jobId}@${attempt}`);
  }

  endedRuns(): readonly string[] {
    return [...this.#final.keys()].filter((key) => !key.includes("/"));
  }

  stateOf(key: string): string | undefined {
    return this.#final.get(key);
  }

  /** Notes the writes that the server knows to be durable. */
  acknowledge(journal: Journal): void {
    journal.subscribe((events) => {
      for (const event of events) this.#acknowledged.set(event.seq, textOf(event));
    });
  }

  /** Acknowledged events that are no longer in the log as they were. */
  lost(): readonly string[] {
    const get = this.#database().prepare("SELECT type, run_id, job_id, data FROM events WHERE seq = ?");
    return [...this.#acknowledged].flatMap(([seq, text]) => {
      const row = get.get(seq);
      const found =
        row === undefined ? "nothing" : `${row["type"]} ${row["run_id"]} ${row["job_id"] ?? ""} ${row["data"]}`;
      return found === text ? [] : [`event ${seq} was ${text} and is ${found}`];
    });
  }

  /** The log may be shorter than before, by events that were never acknowledged. */
  reopen(): void {
    this.#lastSeq = 0;
    this.#lastHash = FIRST_HASH;
    this.#final.clear();
    this.#open.clear();
    this.#canceling.clear();
    this.read();
    const [lost] = this.lost();
    if (lost !== undefined) this.breaks("acknowledged data is never lost", lost);
  }

  /** Acts when the next such event is committed; forgets what it waited for before. */
  onNext(type: KillingEvent, act: () => void): void {
    this.#awaited = { type, act };
  }

  read(): void {
    const rows = this.#database().prepare("SELECT * FROM events WHERE seq > ? ORDER BY seq").all(this.#lastSeq);
    for (const row of rows) {
      const event = toStoredEvent(row);
      const hash = eventHash(this.#lastHash, event);
      if (event.seq !== this.#lastSeq + 1 || hash !== row["hash"])
        this.breaks("the log is a chain", `event ${event.seq} does not follow ${this.#lastSeq}`);
      this.#lastSeq = event.seq;
      this.#lastHash = hash;
      this.#take(event);
      this.onEvent(event);
      if (this.#awaited === undefined || !isOf(event, this.#awaited.type)) continue;
      this.#awaited.act();
      this.#awaited = undefined;
    }
  }

  #take({ seq, type, runId, jobId, data }: ReturnType<typeof toStoredEvent>): void {
    this.#history.note(`log ${seq}: ${type} ${jobId ?? runId ?? ""}${endText(type, data)}`);
    if (runId === null) return;
    if (this.#final.has(runId) && !AFTERWARDS.has(type))
      this.breaks("a final state never changes", `${type} of ${runId} after its end`);
    const key = jobId === null ? runId : `${runId}/${jobId}`;
    if (type === "run.created") this.#open.add(runId);
    if (type === "run.canceling") this.#canceling.add(runId);
    if (type === "job.retrying") this.#noteRetry(key, JSON.parse(data) as RetryData);
    if (type !== "run.ended" && type !== "job.ended") return;
    if (this.#final.has(key)) this.breaks("a final state never changes", `${key} ended twice`);
    const { state, reason, kill } = JSON.parse(data) as EndData;
    if (!isFinal(state)) this.breaks("a final state never changes", `${key} ended as ${state}`);
    if (reason?.code === "ENGINE" && !reason.message.startsWith(GIVEN_UP))
      this.breaks("the engine never fails by itself", reason.message);
    this.#final.set(key, state);
    if (type === "run.ended") this.#ended(runId, kill !== undefined);
  }

  #noteRetry(job: string, { attempt, reason }: RetryData): void {
    this.#retried.set(`${job}@${attempt}`, reason.code);
  }

  /** `isProven`: Weft says that it has ended everything. */
  #ended(runId: string, isProven: boolean): void {
    this.#open.delete(runId);
    this.#canceling.delete(runId);
    const live = this.#programs.all.filter((execution) => execution.runId === runId && execution.isLive);
    // A program that has outlived its wrapper is ended soon, unless it was proven to be gone.
    const left = live.find(({ isStray, isOrphan }) => !isStray && (isProven || !isOrphan));
    if (left !== undefined)
      this.breaks("nothing runs after the end of a run", `${left.jobId}@${left.attempt} runs at ${left.where}`);
  }
}

function isOf({ type, data }: ReturnType<typeof toStoredEvent>, wanted: KillingEvent): boolean {
  if (wanted !== "failure") return type === wanted;
  return type === "job.ended" && (JSON.parse(data) as EndData).state === "EXECUTOR_ERROR"; // as recorded
}

/** The data of `job.retrying`, as recorded. */
interface RetryData {
  readonly attempt: number;
  readonly reason: { readonly code: string };
}

/** The data of the end of a run or job, as recorded. */
interface EndData {
  readonly state: RunState;
  readonly reason: { readonly code: string; readonly message: string } | null;
  readonly kill?: unknown;
}

function textOf({ type, run_id, data, ...event }: WeftEvent): string {
  const jobId = "job_id" in event ? event.job_id : "";
  return `${type} ${run_id} ${jobId ?? ""} ${JSON.stringify(data)}`;
}

function endText(type: string, data: string): string {
  if (!type.endsWith(".ended") && type !== "job.retrying") return "";
  const { state, reason } = JSON.parse(data) as { state: string; reason: { code: string } | null }; // as recorded
  return ` ${state}${reason === null ? "" : ` ${reason.code}`}`;
}
