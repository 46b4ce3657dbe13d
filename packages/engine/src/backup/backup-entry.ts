import { isAbsolute, normalize } from "node:path";
import { BackupRefused } from "./backup-refused.ts";

/** One line of a backup's manifest. Paths are relative to the state folder and the same within the backup. */
export type BackupEntry =
  | {
      readonly kind: "backup";
      readonly format: 1;
      readonly version: string;
      readonly created: string;
      /** Number of the last event that it holds. */
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
  /** Another name of a file that stands above. */
  | { readonly kind: "same"; readonly path: string; readonly as: string }
  /** A symbolic link; `within`: its target is a path of the state folder. */
  | { readonly kind: "link"; readonly path: string; readonly target: string; readonly within: boolean }
  | { readonly kind: "folder"; readonly path: string }
  /** The last line: without it the backup is not whole. */
  | { readonly kind: "end"; readonly entries: number };

export const MANIFEST = "manifest.jsonl";
export const DATABASE = "weft.db";

/** Reads a line; a path that would lead out of the state folder is refused. */
export function parseEntry(line: string, number: number): BackupEntry {
  const entry = parseLine(line);
  if (entry === undefined) throw new BackupRefused(`${MANIFEST}:${number}: this is no line of a backup's manifest`);
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
    // We wrote it; what it says of files is checked against the files.
    return found !== null && KINDS.has(found.kind) ? found : undefined;
  } catch {
    return undefined;
  }
}

function isInside(path: unknown): boolean {
  return typeof path === "string" && path !== "" && !isAbsolute(path) && !normalize(path).startsWith("..");
}
