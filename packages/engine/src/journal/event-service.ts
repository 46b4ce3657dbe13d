import type { EngineEvents, EventPage } from "../engine.ts";
import { visibleOwner } from "../run/visible-runs.ts";
import type { Journal } from "./journal.ts";
import { decodeToken, encodeToken } from "./page-query.ts";

const PAGE_SIZE = 100;

/** Events that one page for one owner looks at, at most: among a million of others there may be none of theirs. */
const SCANNED = 10_000;

/** What the API asks of the event log. */
export function createEventService(journal: Journal): EngineEvents {
  return {
    get lastSeq() {
      return journal.lastSeq;
    },
    ownerOf: (runId) => journal.read.run(runId)?.owner,
    page: (query) => readPage(journal, query),
    subscribe: (listener) => journal.subscribe(listener),
  };
}

function readPage(journal: Journal, query: Parameters<EngineEvents["page"]>[0]): EventPage {
  const { runId, pageSize: size = PAGE_SIZE } = query;
  const owner = visibleOwner(query.caller);
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
