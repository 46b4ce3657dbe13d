import type { EngineEvents, EventPage } from "../engine.ts";
import type { Journal } from "./journal.ts";
import { decodeToken, encodeToken } from "./page-query.ts";

const PAGE_SIZE = 100;

/** What the API asks of the event log. */
export function createEventService(journal: Journal): EngineEvents {
  return {
    get lastSeq() {
      return journal.lastSeq;
    },
    page: (query) => readPage(journal, query),
    subscribe: (listener) => journal.subscribe(listener),
  };
}

function readPage(journal: Journal, query: Parameters<EngineEvents["page"]>[0]): EventPage {
  const size = query.pageSize ?? PAGE_SIZE;
  const since = Number(decodeToken(query.pageToken, ["number"])?.[0] ?? query.since ?? 0);
  const found = journal.read.events({ runId: query.runId, since, limit: size + 1 });
  const events = found.slice(0, size);
  const last = events.at(-1);
  return {
    events,
    last_seq: journal.lastSeq,
    next_page_token: found.length > size && last !== undefined ? encodeToken([last.seq]) : "",
  };
}
