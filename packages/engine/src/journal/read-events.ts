import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import type { EventData, WeftEvent } from "@weft/shared/events/event.ts";
import { FIRST_HASH, toStoredEvent, type StoredEvent } from "./event-hash.ts";
import type { PinnedFile } from "@weft/shared/events/run-events.ts";
import { appendedEvent, type NewEvent } from "./journal-event.ts";
import { Where } from "./page-query.ts";
import type { Row, Statements } from "./statements.ts";

/** Queries about the log itself. */
export function readEvents(sql: Statements) {
  return {
    lastSeq(): number {
      return sql.number("SELECT max(seq) FROM events");
    },

    blob(digest: string): string {
      const text = findBlob(sql, digest);
      if (text === undefined) throw new Error(`the log has no blob ${digest}`);
      return text;
    },

    /** Like `blob`, but for display: an empty object replaces a text that a damaged log lacks. */
    blobToShow(digest: string): string {
      return findBlob(sql, digest) ?? "{}";
    },

    /** Size of its text; 0 if the log lacks it. */
    blobBytes(digest: string): number {
      return (
        sql.number("SELECT octet_length(text) FROM blobs WHERE digest = ?", digest) ||
        sql.number(BYTES_OF_PARTS, digest)
      );
    },

    /** The remote files that a run received, in the order of fetching. */
    pinnedFiles(runId: string): readonly PinnedFile[] {
      const fetched = sql.texts(
        "SELECT data FROM events WHERE run_id = ? AND type = 'run.fetched' ORDER BY seq",
        runId,
      );
      return fetched.flatMap((data) => (parseExactJson(data) as EventData<"run.fetched">).files); // Weft wrote it
    },

    /** How a run was created, without its long lists; for an imported run, on the server that made it. */
    creation(runId: string): Creation {
      const first = sql.get(
        `SELECT type, iif(json_valid(data), ${withoutLists("data")}, '{}') AS data
           FROM events WHERE run_id = ? ORDER BY seq LIMIT 1`,
        runId,
      );
      const data = parseExactJson(String(first?.["data"] ?? "{}")) as Creation & { readonly folded?: string };
      if (first?.["type"] !== "run.imported") return data;
      const created = sql.get(
        `SELECT ${withoutLists("substr(text, 1, instr(text, char(10)) - 1) -> '$.event.data'")} AS data
           FROM blobs WHERE digest = ?`,
        data.folded ?? "",
      );
      return parseExactJson(String(created?.["data"] ?? "{}")) as Creation; // foldEvents wrote it, with `run.created` first
    },

    /** The events of an imported run as they were chained on the other server, one per line. */
    importedEvents(runId: string): string | undefined {
      const [text] = sql.texts(
        `SELECT blobs.text FROM events JOIN blobs ON blobs.digest = events.data ->> '$.events'
           WHERE events.run_id = ? AND events.type = 'run.imported'`,
        runId,
      );
      return text;
    },

    /** Starts and requested stops of servers since `sinceMs`, oldest first. */
    serverMarks(sinceMs: number): readonly ServerMark[] {
      const newest = `SELECT seq, type FROM events WHERE run_id IS NULL AND type IN ('server.started', 'server.stopping')
        AND time_ms >= ? ORDER BY seq DESC LIMIT ?`;
      return sql.records<ServerMark>(newest, sinceMs, MAX_MARKS).toReversed();
    },

    /**
     * A server's activity on a run: whether it drove the run, whether it resumed it alone, and whether the run made
     * progress.
     */
    activity(
      runId: string,
      { firstSeq, endSeq }: SeqRange,
      progress: readonly string[],
    ): { readonly isActive: boolean; readonly isAlone: boolean; readonly hasProgress: boolean } {
      const row = sql.get(
        `SELECT max(type IN ('run.created', 'run.reattached')) AS active,
             max(type = 'run.reattached' AND data ->> '$.alone') AS alone,
             max(type IN (${progress.map(() => "?").join(",")})) AS progress
           FROM events WHERE run_id = ? AND seq > ? AND seq < ?`,
        ...progress,
        runId,
        firstSeq,
        endSeq,
      );
      return { isActive: row?.["active"] === 1, isAlone: row?.["alone"] === 1, hasProgress: row?.["progress"] === 1 };
    },

    /** The last run that a server resumed alone. */
    lastResumedAlone({ firstSeq, endSeq }: SeqRange): string | undefined {
      const [last] = sql.texts(
        `SELECT run_id FROM events WHERE seq > ? AND seq < ? AND type = 'run.reattached' AND data ->> '$.alone'
           ORDER BY seq DESC LIMIT 1`,
        firstSeq,
        endSeq,
      );
      return last;
    },

    /** The events of a run in order, each with its hash and the hash of its predecessor. */
    chainOfRun(runId: string): readonly (StoredEvent & { readonly previous: string; readonly hash: string })[] {
      const chain = `SELECT *, coalesce((SELECT hash FROM events AS before WHERE before.seq = events.seq - 1), ?) AS previous
        FROM events WHERE run_id = ? ORDER BY seq`;
      return sql
        .all(chain, FIRST_HASH, runId)
        .map((row) => ({ ...toStoredEvent(row), previous: String(row["previous"]), hash: String(row["hash"]) }));
    },

    /** `seq` of the run's event a given number of events after the first one from `seq` on. Reads only an index. */
    eventFrom(runId: string, seq: number, places: number): number | undefined {
      const from = "SELECT seq FROM events WHERE run_id = ? AND seq >= ? ORDER BY seq LIMIT 1 OFFSET ?";
      return sql.find(seqOf, from, runId, seq, places);
    },

    /** `seq` of the last event of a run that is not after `seq`. */
    lastEventUpTo(runId: string, seq: number): number | undefined {
      const last = "SELECT seq FROM events WHERE run_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1";
      return sql.find(seqOf, last, runId, seq);
    },

    /** Number of events of a run between two, inclusive. */
    countEvents(runId: string, from: number, to: number): number {
      return sql.number("SELECT count(*) FROM events WHERE run_id = ? AND seq BETWEEN ? AND ?", runId, from, to);
    },

    /** The subject of an event, without its data. */
    eventHead(seq: number) {
      const row = sql.get("SELECT time_ms, type, job_id, step, sample_id FROM events WHERE seq = ?", seq);
      const textOf = (name: string): string | null => (row?.[name] == null ? null : String(row[name]));
      return {
        time: new Date(Number(row?.["time_ms"] ?? 0)).toISOString(),
        type: String(row?.["type"]),
        job_id: textOf("job_id"),
        step: textOf("step"),
        sample_id: textOf("sample_id"),
      };
    },

    /** Events after `since` up to `until`, oldest first, at most `limit`. */
    events(query: {
      readonly runId?: string | undefined;
      /** Limits the result to events of this owner's runs and events without a run. */
      readonly owner?: string | undefined;
      readonly since: number;
      readonly until?: number | undefined;
      readonly limit: number;
    }): readonly WeftEvent[] {
      const where = new Where().add("seq > ?", query.since);
      if (query.until !== undefined) where.add("seq <= ?", query.until);
      if (query.runId !== undefined) where.add("run_id = ?", query.runId);
      if (query.owner !== undefined) where.add(IS_VISIBLE, query.owner, query.owner, query.owner);
      return sql
        .all(`SELECT * FROM events ${where.sql} ORDER BY seq LIMIT ?`, ...where.values, query.limit)
        .map(toEvent);
    },
  };
}

function seqOf({ seq }: Row): number {
  return Number(seq);
}

interface ServerMark {
  readonly seq: number;
  readonly type: string;
}

/** A damaged log or an old one may lack any field. */
type Creation = Partial<Omit<EventData<"run.created">, "samples" | "steps" | "uses">>;

/** The lists grow with the run. */
const withoutLists = (data: string) => `json_remove(${data}, '$.samples', '$.steps', '$.uses')`;

/** Between two events, exclusive. */
interface SeqRange {
  readonly firstSeq: number;
  readonly endSeq: number;
}

/** A server that crashes at each start is restarted a few times a second at most. */
const MAX_MARKS = 100;

/** An event without a run may name the only principal who sees it. */
const IS_VISIBLE = `iif(run_id IS NULL, coalesce(iif(json_valid(data), data ->> '$.owner', NULL), ?) = ?,
  EXISTS (SELECT 1 FROM runs WHERE runs.run_id = events.run_id AND runs.owner = ?))`;

function findBlob(sql: Statements, digest: string): string | undefined {
  return findText(sql, digest) ?? joinParts(sql, digest);
}

function findText(sql: Statements, digest: string): string | undefined {
  return sql.texts("SELECT text FROM blobs WHERE digest = ?", digest)[0];
}

/** Undefined if one of them is missing. */
function joinParts(sql: Statements, digest: string): string | undefined {
  const [parts] = sql.texts("SELECT parts FROM long_blobs WHERE digest = ?", digest);
  if (parts === undefined) return undefined;
  const texts = (JSON.parse(parts) as string[]).map((part) => findText(sql, part)); // Weft wrote it
  return texts.includes(undefined) ? undefined : texts.join("");
}

const BYTES_OF_PARTS = `SELECT sum(octet_length(blobs.text)) AS bytes
  FROM long_blobs, json_each(long_blobs.parts) AS part, blobs
  WHERE long_blobs.digest = ? AND blobs.digest = part.value`;

export function toEvent(row: Row): WeftEvent {
  return appendedEvent(newEventOf(row), { seq: Number(row["seq"]), timeMs: Number(row["time_ms"]) });
}

/** The event in a row, without its blobs. */
export function newEventOf(row: Row): NewEvent {
  const { type, run_id, job_id, step, sample_id, actor, data } = row;
  return {
    ...{ type, run_id, actor, data: parseExactJson(String(data)) },
    ...(job_id === null ? {} : { job_id }),
    ...(step === null ? {} : { step }),
    ...(sample_id === null ? {} : { sample_id }),
  } as NewEvent; // only `append` writes the log; older servers wrote the same events with fewer fields
}
