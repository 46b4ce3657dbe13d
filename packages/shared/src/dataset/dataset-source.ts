import { isRecordingFolder } from "./read-bids-name.ts";

/** The entries of a folder on disk. Paths are relative to the dataset, with slashes. */
export interface DatasetSource {
  readonly entries: readonly DatasetEntry[];
  /** Small texts by path, those that `isReadEarly` names. */
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

/** Whether a BIDS dataset needs the text of a file before any query. */
export function isReadEarly(path: string): boolean {
  if (path === DESCRIPTION || path === IGNORE_FILE || path === PARTICIPANTS) return true;
  return /^sub-[^/]+\/[^/]+_sessions\.tsv$/.test(path);
}

/** Whether the entries of a folder belong to the listing: in BIDS, folders of subjects, but not a recording. */
export function isListed(folder: string, kind: "bids" | "files"): boolean {
  const names = folder.split("/");
  if (names.some((name) => name.startsWith("."))) return false;
  return kind === "files" || ((names[0] ?? "").startsWith("sub-") && !isRecordingFolder(names.at(-1) ?? ""));
}
