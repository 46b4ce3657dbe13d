import { EventEmitter, once } from "node:events";
import type { Caller, EngineEvents, EventBatch, EventPage } from "@weft/engine/port/engine.ts";
import { visibleEvents } from "@weft/engine/services/event-service.ts";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import { partialEvent } from "@weft/shared/testing/partial-event.ts";

type Query = Parameters<EngineEvents["page"]>[1];

/** An event log in memory. Like the engine's, it holds an event before it tells anyone about it. */
export class FakeEvents implements EngineEvents {
  readonly #log: WeftEvent[] = [];
  readonly #changes = new EventEmitter();
  readonly #listeners = new Set<(batch: EventBatch) => void>();
  /** Events that a page for one owner looks at. */
  scanned = Number.POSITIVE_INFINITY;
  /** Run id → owner. */
  readonly owners = new Map<string, string>();
  /** Called when a page has been read and before it is handed over: the place for what happens meanwhile. */
  onPage: () => void = () => undefined;

  get lastSeq(): number {
    return this.#log.length;
  }

  page(caller: Caller, { runId, since = 0, pageSize = 50, pageToken = "" }: Query): EventPage {
    const after = pageToken === "" ? since : Number(pageToken);
    const isScan = caller.othersRuns === "hidden" && runId === undefined;
    const until = isScan ? after + this.scanned : Number.POSITIVE_INFINITY;
    const found = this.#batchOf(this.#log.slice(after, until))
      .visibleTo(caller)
      .filter((event) => runId === undefined || event.run_id === runId);
    const events = found.slice(0, pageSize);
    const isFull = found.length > events.length;
    const readTo = !isFull && until < this.lastSeq ? until : (events.at(-1)?.seq ?? after);
    this.onPage();
    const next = isFull || readTo === until ? String(readTo) : "";
    return { events, last_seq: this.lastSeq, read_to: readTo, next_page_token: next };
  }

  async moment(_caller: Caller, runId: string, { at = 1 }: { readonly at?: number | undefined }) {
    const of = { run_id: runId, job_id: null, step: null, sample_id: null };
    const time = new Date(0).toISOString();
    return { ...of, seq: at, time, type: "run.started", number: 1, total: 1, previous_seq: null, next_seq: null };
  }

  subscribe(listener: (batch: EventBatch) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      this.#changes.emit("unsubscribe");
    };
  }

  /** Appends `count` events of a run or of none and announces them as one batch; those of none carry `text`. */
  append(runId: string | null, count = 1, text = "0.2.0"): void {
    this.announce(this.store(runId, count, text));
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Resolves when the next one stops listening. */
  async unsubscribed(): Promise<void> {
    await once(this.#changes, "unsubscribe");
  }

  /** Appends and announces one event of a job. */
  appendOfJob(type: "job.ended" | "run.ended", runId: string, jobId: string): void {
    const event = partialEvent(type, { seq: this.lastSeq + 1, run_id: runId, job_id: jobId });
    this.#log.push(event);
    this.announce([event]);
  }

  /** Only stores them: the moment between the commit and the news of it. */
  store(runId: string | null, count: number, text = "0.2.0"): readonly WeftEvent[] {
    const batch = Array.from({ length: count }, (_, index) => {
      const seq = this.lastSeq + index + 1;
      if (runId !== null) return partialEvent("run.started", { seq, run_id: runId });
      return partialEvent("server.started", { seq, run_id: null }, { version: text, pid: 1 });
    });
    this.#log.push(...batch);
    return batch;
  }

  announce(events: readonly WeftEvent[]): void {
    for (const listener of this.#listeners) listener(this.#batchOf(events));
  }

  #batchOf(events: readonly WeftEvent[]): EventBatch {
    return visibleEvents(events, (runId) => this.owners.get(runId));
  }
}
