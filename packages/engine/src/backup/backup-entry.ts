import { isAbsolute, normalize } from "node:path";
import { BackupRefused } from "./backup-refused.ts";

/** One line of a backup's manifest. Paths are relative to the state folder and the same within the backup. */
export type BackupEntry =
  | {
      readonly kind: "backup";
      readonly format: 1;
      readonly version: string;
      readonly created: string;
      /** Sequence number of the last event in the log. */
      readonly last_seq: number;
      readonly with_files: boolean;
    }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly size: number;
      readonly sha256: string;
      readonly mode: number;
    }
  /** A hard link to an earlier entry. */
  | { readonly kind: "same"; readonly path: string; readonly as: string }
  /** A symbolic link; `within`: its target is a path in the state folder. */
  | { readonly kind: "link"; readonly path: string; readonly target: string; readonly within: boolean }
  | { readonly kind: "folder"; readonly path: string }
  /** The last line. A backup without it is incomplete. */
  | { readonly kind: "end"; readonly entries: number };

export const MANIFEST = "manifest.jsonl";
export const DATABASE = "weft.db";

/** Parses a line; refuses a path that leads out of the state folder. */
export function parseEntry(line: string, number: number): BackupEntry {
  const entry = parseLine(line);
  if (entry === undefined) throw new BackupRefused(`${MANIFEST}:${number}: not a line of a backup manifest`);
  const paths = [
    ...("path" in entry ? [entry.path] : []),
    ...(entry.kind === "same" ? [entry.as] : []),
    ...(entry.kind === "link" && entry.within ? [entry.target] : []),
  ];
  for (const path of paths)
    if (!isInside(path)) throw new BackupRefused(`${MANIFEST}:${number}: the path ${path} leads out of the backup`);
  return entry;
}

const KINDS: ReadonlySet<unknown> = new Set(["backup", "file", "same", "link", "folder", "end"]);

function parseLine(line: string): BackupEntry | undefined {
  try {
    const found = JSON.parse(line) as BackupEntry | null;
    // We wrote this line; file facts in it are checked against the files.
    return found !== null && KINDS.has(found.kind) ? found : undefined;
  } catch {
    return undefined;
  }
}

function isInside(path: unknown): boolean {
  return typeof path === "string" && path !== "" && !isAbsolute(path) && !normalize(path).startsWith("..");
}
