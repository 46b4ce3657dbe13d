import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { Caller, EngineEvents, EventBatch, EventPage } from "../port/engine.ts";
import { requireVisibleRun, visibleOwner } from "../access/visible-runs.ts";
import type { Journal } from "../journal/journal.ts";
import { decodeToken, encodeToken } from "../journal/page-query.ts";
import { RunMoments } from "./run-moments.ts";

const PAGE_SIZE = 100;

/** Maximum number of events examined for one page of one owner: none of a million others' events may be theirs. */
const SCANNED = 10_000;

/** Number of run owners to remember; the oldest entry is evicted first. */
const MAX_OWNERS = 10_000;

/** The event methods of the engine. */
export function createEventService(journal: Pick<Journal, "read" | "lastSeq" | "subscribe">): EngineEvents {
  const ownerOf = rememberOwners((runId) => journal.read.run(runId)?.owner);
  const moments = new RunMoments(journal.read);
  return {
    get lastSeq() {
      return journal.lastSeq;
    },
    page: (caller, query) => readPage(caller, query, journal),
    moment: async (caller, runId, query) => {
      requireVisibleRun(journal.read, runId, caller);
      return moments.find(runId, query);
    },
    subscribe: (listener) => journal.subscribe((events) => listener(visibleEvents(events, ownerOf))),
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
  const owners = new Map<string, string>();
  return (runId) => {
    const known = owners.get(runId);
    if (known !== undefined) return known;
    const found = find(runId);
    const [oldest] = owners.keys();
    if (oldest !== undefined && owners.size >= MAX_OWNERS) owners.delete(oldest);
    if (found !== undefined) owners.set(runId, found);
    return found;
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
