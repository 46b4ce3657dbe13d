import type { RunMoment } from "@weft/shared/records/moment-record.ts";
import { giveWayWhenDue } from "../async/give-way.ts";
import type { LogReader } from "../journal/log-reader.ts";

/** Interval of marked events: the numbers of the others are counted from a mark. */
const MARK_EVERY = 256;
/** Number of runs whose marks are kept; a run with 400,000 events has 1,600 marks. */
const MAX_RUNS = 16;

type MomentReader = Pick<LogReader, "eventFrom" | "countEvents" | "lastEventUpTo" | "eventHead">;

/** Maps events to their numbers in the logs of runs. Only the first question about a long log scans its index. */
export class RunMoments {
  readonly #read: MomentReader;
  /** Run id → `seq` of every 256th event, from the first. */
  readonly #marks = new Map<string, number[]>();

  constructor(read: MomentReader) {
    this.#read = read;
  }

  /** The run has at least one event. */
  async find(
    runId: string,
    { at, number }: { readonly at?: number | undefined; readonly number?: number | undefined },
  ): Promise<RunMoment> {
    const marks = await this.#marksOf(runId);
    const read = this.#read;
    const first = marks[0] ?? 1;
    const last = read.lastEventUpTo(runId, Number.MAX_SAFE_INTEGER) ?? first;
    const numberAt = (seq: number): number => {
      const place = marks.findLastIndex((mark) => mark <= seq);
      return Math.max(0, place) * MARK_EVERY + read.countEvents(runId, marks[place] ?? first, seq);
    };
    const total = Math.max(1, numberAt(last));
    const seqOf = (wanted: number): number => {
      const index = Math.min(wanted, total) - 1;
      const mark = marks[Math.floor(index / MARK_EVERY)] ?? last;
      return read.eventFrom(runId, mark, index % MARK_EVERY) ?? last;
    };
    const seq = number === undefined ? (read.lastEventUpTo(runId, at ?? last) ?? first) : seqOf(number);
    return {
      run_id: runId,
      seq,
      ...read.eventHead(seq),
      number: Math.max(1, numberAt(seq)),
      total,
      previous_seq: read.lastEventUpTo(runId, seq - 1) ?? null,
      next_seq: read.eventFrom(runId, seq + 1, 0) ?? null,
    };
  }

  async #marksOf(runId: string): Promise<readonly number[]> {
    const marks = this.#marks.get(runId) ?? [];
    this.#marks.delete(runId);
    this.#marks.set(runId, marks); // the last entry is the newest
    for (const oldest of this.#marks.keys()) if (this.#marks.size > MAX_RUNS) this.#marks.delete(oldest);
    for (;;) {
      const last = marks.at(-1);
      const next = this.#read.eventFrom(runId, last ?? 0, last === undefined ? 0 : MARK_EVERY);
      if (next === undefined) return marks;
      marks.push(next);
      // Each mark is counted from the one before. Another question may add marks meanwhile, which are the same ones.
      // eslint-disable-next-line no-await-in-loop
      await giveWayWhenDue();
    }
  }
}
