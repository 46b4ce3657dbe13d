import type { RouteQuery, RouteResult } from "@weft/shared/routes/routes.ts";
import type { Log } from "@weft/engine/log.ts";
import { AuditWriter } from "./audit-writer.ts";
import { type AuditFacts, parseLine } from "./audit-chain.ts";
import type { AuditEntry } from "@weft/shared/records/audit-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { firstSeqOf, listSegments, readLines } from "./audit-folder.ts";

/** A caller's request and its outcome. */
export type AuditedRequest = Omit<AuditFacts, "time" | "count">;

const MINUTE_MS = 60_000;
const LONGEST_PATH = 256;

/** The log of actions with user, time, origin and outcome: an append-only chain of lines in the state folder. */
export class AuditLog {
  readonly #folder: string;
  readonly #writer: AuditWriter;
  readonly #tally: RefusalTally;
  readonly #minute: NodeJS.Timeout;
  #isClosed = false;

  private constructor(folder: string, writer: AuditWriter) {
    this.#folder = folder;
    this.#writer = writer;
    this.#tally = new RefusalTally((facts) => void writer.append(facts));
    this.#minute = setInterval(() => this.#tally.flush(now()), MINUTE_MS).unref();
  }

  static async open(folder: string, log: Log): Promise<AuditLog> {
    return new AuditLog(folder, await AuditWriter.open(folder, log));
  }

  /** Resolves when the entry is on disk; a request that changed something is answered only then. */
  accepted(request: AuditedRequest): Promise<void> {
    return this.#append(bounded(request));
  }

  /** Records a refusal. The caller does not wait for the entry; many refusals are only counted. */
  refused(request: AuditedRequest): void {
    if (!this.#isClosed) this.#tally.add(bounded(request));
  }

  /** Records an action of Weft itself, in a few words. */
  note(action: string, target: string): Promise<void> {
    const nothing = { role: null, client: "", method: "", path: "", status: null, code: null, request_id: null };
    return this.#append({ time: now(), principal: "server", action, target, count: 1, ...nothing });
  }

  /** If an answer is sent after the server has closed, the file is gone. */
  #append(facts: AuditFacts): Promise<void> {
    return this.#isClosed ? Promise.resolve() : this.#writer.append(facts);
  }

  /** Lists entries, including those that no caller has waited for. */
  async list(query: RouteQuery<"GET /api/audit">): Promise<AuditPage> {
    await this.#writer.idle();
    return listAuditEntries(this.#folder, query);
  }

  /** Stops recording. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#minute);
    this.#tally.flush(now());
    await this.#writer.close();
  }
}

function bounded(request: AuditedRequest): AuditFacts {
  const { path, target } = request;
  return {
    ...request,
    time: now(),
    path: path.slice(0, LONGEST_PATH),
    target: target?.slice(0, LONGEST_PATH) ?? null,
    count: 1,
  };
}

function now(): string {
  return new Date().toISOString();
}

/** Maximum number of kinds of refusals with their own entry within a minute. */
const MAX_KINDS = 100;

interface Tally {
  readonly facts: AuditFacts;
  /** Number of refusals after the first. */
  count: number;
}

/**
 * Keeps refused requests from filling the disk: the first of a kind (who, from where, what, why) within a minute is
 * recorded immediately; later ones are counted and share one entry when the minute ends. All kinds beyond a hundred
 * share one entry.
 */
class RefusalTally {
  readonly #record: (facts: AuditFacts) => void;
  readonly #tallies = new Map<string, Tally>();

  constructor(record: (facts: AuditFacts) => void) {
    this.#record = record;
  }

  add(facts: AuditFacts): void {
    const kind = `${facts.client} ${facts.principal} ${facts.action} ${facts.code}`;
    const isFull = this.#tallies.size >= MAX_KINDS && !this.#tallies.has(kind);
    const key = isFull ? "others" : kind;
    const known = this.#tallies.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const shown = isFull ? { ...facts, client: "several", target: "from further clients or of further kinds" } : facts;
    this.#tallies.set(key, { facts: shown, count: 0 });
    this.#record(shown);
  }

  /** Ends the minute and records the counts. */
  flush(time: string): void {
    for (const { facts, count } of this.#tallies.values())
      if (count > 0) this.#record({ ...facts, time, request_id: null, count });
    this.#tallies.clear();
  }
}

const PAGE_SIZE = 50;
/** Maximum number of files (of a few megabytes) read for one page. */
const MAX_SEGMENTS = 4;

type Query = RouteQuery<"GET /api/audit">;
/** A page without the names of runs, which the audit log does not contain. */
type AuditPage = Omit<RouteResult<"GET /api/audit">, "run_names">;

/** A page of the audit log, newest first. Reads from the end; refuses an invalid token with `invalid-parameters`. */
async function listAuditEntries(folder: string, query: Query): Promise<AuditPage> {
  const before = beforeOf(query.page_token);
  const size = query.page_size ?? PAGE_SIZE;
  const segments = (await listSegments(folder)).filter((name) => firstSeqOf(name) < before).toReversed();
  const found: AuditEntry[] = [];
  for (const name of segments.slice(0, MAX_SEGMENTS)) {
    if (found.length > size) break;
    const entries = (await readLines(folder, name)).toReversed().values().map(parseLine);
    const fitting = entries
      .filter((entry) => entry !== undefined)
      .filter((entry) => entry.seq < before && fits(entry, query));
    found.push(...fitting.take(size + 1 - found.length));
  }
  const entries = found.slice(0, size);
  const last = found.length > size ? entries.at(-1)?.seq : restOf(segments);
  return { entries, total: null, next_page_token: last === undefined ? "" : String(last) };
}

function fits(entry: AuditEntry, { principal, action, refused, since, until }: Query): boolean {
  return (
    (principal === undefined || entry.principal === principal) &&
    (action === undefined || bareAction(entry.action) === bareAction(action)) &&
    (refused === undefined || (entry.code !== null) === refused) &&
    // All times have the same format, so they compare as strings.
    (since === undefined || entry.time >= since) &&
    (until === undefined || entry.time < until)
  );
}

/** An action as in the log or as on the page: `createRun` is `Create run`. */
function bareAction(action: string): string {
  return action.replaceAll(/[\s.]/g, "").toLowerCase();
}

/** The position from which to continue if some files have not been read. */
function restOf(segments: readonly string[]): number | undefined {
  const last = segments[MAX_SEGMENTS - 1];
  return segments.length > MAX_SEGMENTS && last !== undefined ? firstSeqOf(last) : undefined;
}

function beforeOf(token: string | undefined): number {
  if (token === undefined || token === "") return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,14}$/.test(token)) return Number(token);
  const detail = "The page token does not belong to this list";
  throw new Refusal("invalid-parameters", detail, {
    errors: [{ parameter: "page_token", code: "invalid-token", detail }],
  });
}
