import type { LeftOut } from "../records/dataset-record.ts";
import { DESCRIPTION, IGNORE_FILE, PARTICIPANTS, type DatasetEntry, type DatasetSource } from "./dataset-source.ts";
import { OTHER_FOLDERS } from "./dataset-terms.ts";
import type { FilePattern } from "./file-pattern.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { isRecordingFolder, readBidsName, type Fields } from "./read-bids-name.ts";
import { readTable, type Table } from "./read-table.ts";

export interface IndexedFile {
  readonly path: string;
  readonly fields: Fields;
  readonly isFolder?: true;
}

type Row = Table["rows"][number];

/** A dataset in memory, ready for queries. */
export interface DatasetIndex {
  readonly kind: "bids" | "files";
  /** Files whose names could be read, including sidecars; by path. */
  readonly files: readonly IndexedFile[];
  /** Files and folders that are not part of the dataset. */
  readonly problems: readonly LeftOut[];
  /** Rows of `participants.tsv` by label of the subject, without `sub-`. */
  readonly participants: ReadonlyMap<string, Row>;
  /** Rows of the `sessions.tsv` of each subject, by `SUBJECT/SESSION`. */
  readonly sessions: ReadonlyMap<string, Row>;
  readonly participantColumns: readonly string[];
  readonly sessionColumns: readonly string[];
  /** `dataset_description.json`; empty if it cannot be read. */
  readonly description: Readonly<Record<string, unknown>>;
}

/** Reads the names and tables of a dataset. Without a pattern, it is read as BIDS. */
export function indexDataset(source: DatasetSource, pattern?: FilePattern): DatasetIndex {
  const files: IndexedFile[] = [];
  const problems: LeftOut[] = [];
  const read = pattern === undefined ? bidsReader(source) : patternReader(pattern);
  for (const entry of source.entries) {
    const found = read(entry);
    if (found === undefined) continue;
    if ("fields" in found) files.push({ ...entry, fields: found.fields });
    else problems.push({ kind: "file", name: entry.path, reason: found.fault });
  }
  return { kind: pattern === undefined ? "bids" : "files", files, problems, ...tablesOf(source) };
}

type ReadEntry = (entry: DatasetEntry) => { readonly fields: Fields } | { readonly fault: string } | undefined;

function patternReader(pattern: FilePattern): ReadEntry {
  return ({ path, isFolder }) => {
    if (isFolder === true) return undefined;
    const fields = pattern.match(path);
    return fields === undefined ? { fault: "the pattern does not match" } : { fields };
  };
}

function bidsReader({ texts }: DatasetSource): ReadEntry {
  const rules = new IgnoreRules(texts.get(IGNORE_FILE) ?? "");
  return ({ path, isFolder }) => {
    if (path.startsWith(".")) return undefined;
    if (rules.ignores(path)) return { fault: "ignored by .bidsignore" };
    const isAtTop = !path.includes("/");
    if (isFolder === true && !isRecordingFolder(path)) {
      if (!isAtTop) return undefined;
      return {
        fault: OTHER_FOLDERS.has(path) ? "contains data that is not part of the dataset" : "is not a BIDS folder",
      };
    }
    const found = readBidsName(path);
    // README, CHANGES and the like are valid, but they are not data.
    return isAtTop && "fault" in found ? undefined : found;
  };
}

function tablesOf({ texts }: DatasetSource) {
  const participants = readTable(texts.get(PARTICIPANTS) ?? "");
  const sessions = [...texts].flatMap(([path, text]) => {
    const [, subject] = /^sub-([^/]+)\/[^/]+_sessions\.tsv$/.exec(path) ?? [];
    return subject === undefined ? [] : [{ subject, table: readTable(text) }];
  });
  return {
    participants: new Map(participants.rows.map((row) => [labelOf(row["participant_id"], "sub-"), row])),
    sessions: new Map(
      sessions.flatMap(({ subject, table }) =>
        table.rows.map((row) => [`${subject}/${labelOf(row["session_id"], "ses-")}`, row] as const),
      ),
    ),
    participantColumns: participants.columns.filter((name) => name !== "participant_id"),
    sessionColumns: [...new Set(sessions.flatMap(({ table }) => table.columns))].filter(
      (name) => name !== "session_id",
    ),
    description: readDescription(texts.get(DESCRIPTION)),
  };
}

function labelOf(id: string | undefined, prefix: string): string {
  return (id ?? "").startsWith(prefix) ? (id ?? "").slice(prefix.length) : (id ?? "");
}

function readDescription(text = "{}"): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}; // an object of JSON
  } catch {
    return {};
  }
}
