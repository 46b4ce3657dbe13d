import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { Caller } from "../port/caller.ts";
import type { EngineEvents, EventBatch, EventPage } from "../port/engine.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import { requireVisibleRun, visibleOwner } from "./visible-runs.ts";
import type { Journal } from "../journal/journal.ts";
import { decodeToken, encodeToken } from "../journal/page-query.ts";
import type { RunMoment } from "@weft/shared/records/moment-record.ts";
import { giveWay } from "../async/give-way.ts";
import { Recent } from "../async/recent.ts";
import type { LogReader } from "../journal/log-reader.ts";

const PAGE_SIZE = 100;

/** Maximum number of events examined for one page: an owner may have none of a million events. */
const SCANNED = 10_000;

/** Number of run owners to remember. */
const MAX_OWNERS = 10_000;

/** The event methods of the engine. */
export function createEventService(journal: Pick<Journal, "read" | "lastSeq" | "subscribe">): EngineEvents {
  const ownerOf = rememberOwners((runId) => journal.read.run(runId)?.owner);
  return {
    get lastSeq() {
      return journal.lastSeq;
    },
    page: (caller, query) => readPage(caller, query, journal),
    subscribe: (listener) => journal.subscribe((events) => listener(visibleEvents(events, ownerOf))),
  };
}

/** Positions in the logs of runs. */
export function momentMethods({ journal: { read } }: { readonly journal: Pick<Journal, "read"> }): RouteMethods {
  const moments = new RunMoments(read);
  return {
    "GET /api/runs/{run_id}/moment": ({ caller, params, query }) =>
      moments.find(requireVisibleRun(read, params.run_id, caller).runId, query),
  };
}

function readPage(
  caller: Caller,
  query: Parameters<EngineEvents["page"]>[1],
  journal: Pick<Journal, "read" | "lastSeq">,
): EventPage {
  const { runId, pageSize: size = PAGE_SIZE } = query;
  const owner = visibleOwner(caller);
  if (runId !== undefined) requireVisibleRun(journal.read, runId, caller);
  const since = Number(decodeToken(query.pageToken, ["number"])?.[0] ?? query.since ?? 0);
  const until = owner === undefined || runId !== undefined ? undefined : since + SCANNED;
  const found = journal.read.events({ runId, owner, since, until, limit: size + 1 });
  const events = found.slice(0, size);
  const isFull = found.length > size;
  const isScanned = !isFull && until !== undefined && until < journal.lastSeq;
  const readTo = isScanned ? until : (events.at(-1)?.seq ?? since);
  const next = isFull || isScanned ? encodeToken([readTo]) : "";
  return { events, last_seq: journal.lastSeq, read_to: readTo, next_page_token: next };
}

type OwnerOf = (runId: string) => string | undefined;

/** The owner of a run never changes. */
function rememberOwners(find: OwnerOf): OwnerOf {
  const owners = new Recent<string>(MAX_OWNERS);
  return (runId) => {
    const known = owners.get(runId);
    if (known !== undefined) return known;
    const found = find(runId);
    return found === undefined ? undefined : owners.set(runId, found);
  };
}

/** Filters the events once for each view. */
export function visibleEvents(events: readonly WeftEvent[], ownerOf: OwnerOf): EventBatch {
  const views = new Map<string, readonly WeftEvent[]>();
  return {
    visibleTo(caller) {
      const owner = visibleOwner(caller);
      if (owner === undefined) return events;
      const known = views.get(owner) ?? events.filter((event) => isVisible(event, owner, ownerOf));
      views.set(owner, known);
      return known;
    },
  };
}

/** An event without a run may name the only principal who sees it. */
function isVisible({ run_id: runId, data }: WeftEvent, owner: string, ownerOf: OwnerOf): boolean {
  if (runId !== null) return ownerOf(runId) === owner;
  return !("owner" in data) || data.owner === owner;
}

/** Interval of marked events: the numbers of the others are counted from a mark. */
const MARK_EVERY = 256;
/** Number of runs whose marks are kept; a run with 400,000 events has 1,600 marks. */
const MAX_RUNS = 16;

type MomentReader = Pick<LogReader, "eventFrom" | "countEvents" | "lastEventUpTo" | "eventHead">;

/** Maps events to their numbers in the logs of runs. Only the first lookup in a long log scans its index. */
class RunMoments {
  readonly #read: MomentReader;
  /** Run id → `seq` of every 256th event, from the first. */
  readonly #marks = new Recent<number[]>(MAX_RUNS);

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
    const seqOf = (position: number): number => {
      const index = Math.min(position, total) - 1;
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
    const marks = this.#marks.get(runId) ?? this.#marks.set(runId, []);
    for (;;) {
      const last = marks.at(-1);
      const next = this.#read.eventFrom(runId, last ?? 0, last === undefined ? 0 : MARK_EVERY);
      if (next === undefined) return marks;
      marks.push(next);
      // Each mark is counted from the one before. Another lookup may add the same marks meanwhile.
      // eslint-disable-next-line no-await-in-loop
      await giveWay();
    }
  }
}
