import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { inThread } from "../async/own-thread.ts";
import { eventHash, FIRST_HASH, toStoredEvent } from "../journal/event-hash.ts";
import { isFolded, openForReading, programOf, versionOf } from "../journal/open-database.ts";
import { LOG_VERSION } from "../journal/schema.ts";

// Reading may take some seconds, so it happens in a thread while the server answers requests.

/** Larger files take too long; `weft verify` reads them completely. */
const WHOLE_BYTES = 256 * 1024 ** 2;
const NEWEST_EVENTS = 10_000;

/** Facts that the database of a state folder records about itself. */
export interface StateFacts {
  /** 0: an empty file. */
  readonly logVersion: number;
  /** True if the tables are those of this version of Weft. */
  readonly isFolded: boolean;
  /** Version of the Weft that wrote it last, if it is recorded. */
  readonly program: string | undefined;
  readonly events: number;
  readonly newestEventMs: number | undefined;
  /** The reason why the content cannot be trusted. */
  readonly damage: string | undefined;
  /** The check covered the whole file; otherwise only its newest events. */
  readonly isWhole: boolean;
}

export type StateFactsAnswer = StateFacts | { readonly unreadable: string };

await inThread(answer); // started by check-state.ts

function answer(path: string): StateFactsAnswer {
  try {
    using db = openForReading(path);
    return readFacts(db, statSync(path).size <= WHOLE_BYTES);
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}

function readFacts(db: DatabaseSync, isWhole: boolean): StateFacts {
  const logVersion = versionOf(db);
  if (logVersion === 0)
    return {
      logVersion,
      isFolded: true,
      program: undefined,
      events: 0,
      newestEventMs: undefined,
      damage: undefined,
      isWhole,
    };
  const newest = db.prepare("SELECT seq, time_ms FROM events ORDER BY seq DESC LIMIT 1").get();
  return {
    logVersion,
    isFolded: isFolded(db),
    program: programOf(db),
    events: Number(newest?.["seq"] ?? 0),
    newestEventMs: newest === undefined ? undefined : Number(newest["time_ms"]),
    damage: (isWhole ? damagedPages(db) : undefined) ?? (logVersion === LOG_VERSION ? brokenChain(db) : undefined),
    isWhole,
  };
}

function damagedPages(db: DatabaseSync): string | undefined {
  const found = String(db.prepare("PRAGMA quick_check(1)").get()?.["quick_check"]);
  return found === "ok" ? undefined : `the file is damaged: ${found}`;
}

/** Each hash includes the one before. The oldest hash read here is trusted, unless its event is the first one. */
function brokenChain(db: DatabaseSync): string | undefined {
  const rows = db
    .prepare("SELECT * FROM events ORDER BY seq DESC LIMIT ?")
    .all(NEWEST_EVENTS + 1)
    .toReversed();
  const isFromStart = rows.length <= NEWEST_EVENTS;
  let [seq, hash] = isFromStart ? [0, FIRST_HASH] : [Number(rows[0]?.["seq"]), String(rows[0]?.["hash"])];
  for (const row of isFromStart ? rows : rows.slice(1)) {
    if (Number(row["seq"]) !== seq + 1 || eventHash(hash, toStoredEvent(row)) !== row["hash"])
      return `event ${String(row["seq"])} does not match the hash chain`;
    [seq, hash] = [seq + 1, row["hash"]];
  }
  return undefined;
}
