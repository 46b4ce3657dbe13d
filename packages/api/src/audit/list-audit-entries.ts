import type { AuditEntry } from "@weft/shared/records/audit-record.ts";
import type { RouteQuery, RouteResult } from "@weft/shared/routes/routes.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { parseLine } from "./audit-chain.ts";
import { firstSeqOf, listSegments, readLines } from "./audit-folder.ts";

const PAGE_SIZE = 50;
/** Maximum number of files (of a few megabytes) read for one page. */
const MAX_SEGMENTS = 4;

type Query = RouteQuery<"GET /api/audit">;
/** A page without the names of runs, which the audit log does not contain. */
export type AuditPage = Omit<RouteResult<"GET /api/audit">, "run_names">;

/** A page of the audit log, newest first. Reads from the end; refuses an invalid token with `invalid-parameters`. */
export async function listAuditEntries(folder: string, query: Query): Promise<AuditPage> {
  const before = beforeOf(query.page_token);
  const size = query.page_size ?? PAGE_SIZE;
  const segments = (await listSegments(folder)).filter((name) => firstSeqOf(name) < before).toReversed();
  const found: AuditEntry[] = [];
  for (const name of segments.slice(0, MAX_SEGMENTS)) {
    if (found.length > size) break;
    found.push(...entriesOf(await readLines(folder, name), { before, query, most: size + 1 - found.length }));
  }
  const entries = found.slice(0, size);
  const last = found.length > size ? entries.at(-1)?.seq : restOf(segments);
  return { entries, total: null, next_page_token: last === undefined ? "" : String(last) };
}

interface Wanted {
  readonly before: number;
  readonly query: Query;
  readonly most: number;
}

function entriesOf(lines: readonly string[], { before, query, most }: Wanted): AuditEntry[] {
  const entries: AuditEntry[] = [];
  for (const line of lines.toReversed()) {
    if (entries.length >= most) break;
    const entry = parseLine(line);
    if (entry !== undefined && entry.seq < before && fits(entry, query)) entries.push(entry);
  }
  return entries;
}

function fits(entry: AuditEntry, { principal, action, refused, since, until }: Query): boolean {
  return (
    (principal === undefined || entry.principal === principal) &&
    (action === undefined || entry.action === action) &&
    (refused === undefined || (entry.code !== null) === refused) &&
    // All times have the same format, so they compare as strings.
    (since === undefined || entry.time >= since) &&
    (until === undefined || entry.time < until)
  );
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
