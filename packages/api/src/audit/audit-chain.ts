import { hash } from "node:crypto";
import { auditEntrySchema, type AuditEntry } from "@weft/shared/records/audit-record.ts";

/** The end of a chain of entries: the next entry follows this one. */
export interface ChainEnd {
  readonly seq: number;
  /** The hash of the last entry; empty if there is no entry yet. */
  readonly hash: string;
}

export const EMPTY_CHAIN: ChainEnd = { seq: 0, hash: "" };

/** An entry's content, before the entry is added to the chain. */
export type AuditFacts = Omit<AuditEntry, "seq" | "prev" | "hash">;

/** Creates the next entry. It contains the hash of the previous one, so that changed or removed entries are noticed. */
export function nextEntry(facts: AuditFacts, end: ChainEnd): AuditEntry {
  const entry = { seq: end.seq + 1, ...facts, prev: end.hash };
  return { ...entry, hash: hash("sha256", JSON.stringify(entry), "base64url") };
}

/** The entry on the next line, or a string that says why the line is wrong. */
export function checkLine(line: string, end: ChainEnd | undefined): AuditEntry | string {
  const entry = parseLine(line);
  if (entry === undefined) return "is not an entry";
  const { hash: own, ...rest } = entry;
  if (hash("sha256", JSON.stringify(rest), "base64url") !== own) return `(${entry.seq}) was changed`;
  if (end === undefined) return entry;
  if (entry.seq !== end.seq + 1) return `has the number ${entry.seq} instead of ${end.seq + 1}`;
  return entry.prev === end.hash ? entry : `(${entry.seq}) does not follow the entry before`;
}

/** Parses a line; undefined if it is not an entry. Fields keep their order. */
export function parseLine(line: string): AuditEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    // This checks only the shape: the hash covers the fields as written.
    return auditEntrySchema.safeParse(value).success ? (value as AuditEntry) : undefined;
  } catch {
    return undefined;
  }
}
