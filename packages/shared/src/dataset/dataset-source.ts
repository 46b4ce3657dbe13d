import { isRecordingFolder } from "./read-bids-name.ts";

/** The entries of a folder on disk. Paths are relative to the dataset, with slashes. */
export interface DatasetSource {
  readonly entries: readonly DatasetEntry[];
  /** The contents of the small files that `isReadEarly` selects, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface DatasetEntry {
  readonly path: string;
  /** A folder whose entries are not listed. Absent: a file. */
  readonly isFolder?: true;
}

export const DESCRIPTION = "dataset_description.json";
export const IGNORE_FILE = ".bidsignore";
export const PARTICIPANTS = "participants.tsv";

/** True if the content of a file is needed before any query of a BIDS dataset. */
export function isReadEarly(path: string): boolean {
  if (path === DESCRIPTION || path === IGNORE_FILE || path === PARTICIPANTS) return true;
  return /^sub-[^/]+\/[^/]+_sessions\.tsv$/.test(path);
}

/** True if the entries of a folder belong to the listing: in BIDS, those of subjects, but not of a recording. */
export function isListed(folder: string, kind: "bids" | "files"): boolean {
  const names = folder.split("/");
  if (names.some((name) => name.startsWith("."))) return false;
  return kind === "files" || ((names[0] ?? "").startsWith("sub-") && !isRecordingFolder(names.at(-1) ?? ""));
}
