import { hash } from "node:crypto";
import { auditEntrySchema } from "@weft/shared/records/audit-record.ts";
import type { AuditEntry } from "@weft/shared/records/audit-record.ts";

/** The end of a chain of entries: the next entry follows this one. */
export interface ChainEnd {
  readonly seq: number;
  /** Empty: there is no entry yet. */
  readonly hash: string;
}

export const EMPTY_CHAIN: ChainEnd = { seq: 0, hash: "" };

/** What is recorded, before it has its place in the chain. */
export type AuditFacts = Omit<AuditEntry, "seq" | "prev" | "hash">;

/** The entry that follows: it holds the hash of the one before, so that none can be changed or taken out unnoticed. */
export function nextEntry(facts: AuditFacts, end: ChainEnd): AuditEntry {
  const entry = { seq: end.seq + 1, ...facts, prev: end.hash };
  return { ...entry, hash: hash("sha256", JSON.stringify(entry), "base64url") };
}

/** What is wrong with a line that should follow; a string, or the entry where nothing is. */
export function checkLine(line: string, end: ChainEnd | undefined): AuditEntry | string {
  const entry = parseLine(line);
  if (entry === undefined) return "is not an entry";
  const { hash: own, ...rest } = entry;
  if (hash("sha256", JSON.stringify(rest), "base64url") !== own) return `(${entry.seq}) was changed`;
  if (end === undefined) return entry;
  if (entry.seq !== end.seq + 1) return `has the number ${entry.seq} where ${end.seq + 1} follows`;
  return entry.prev === end.hash ? entry : `(${entry.seq}) does not follow the entry before`;
}

/** Undefined for a line that is not an entry. Fields keep the order in which they were written. */
export function parseLine(line: string): AuditEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    // Parsed for its form alone: the hash covers the fields as they stand.
    return auditEntrySchema.safeParse(value).success ? (value as AuditEntry) : undefined;
  } catch {
    return undefined;
  }
}
