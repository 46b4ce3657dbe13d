import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The folder of a state folder's audit log: files of a few megabytes, each named after the number of its first entry. */
export function auditFolderPath(stateFolder: string): string {
  return join(stateFolder, "audit");
}

const SEGMENT = /^audit-(\d{12})\.jsonl$/;

export function segmentName(firstSeq: number): string {
  return `audit-${String(firstSeq).padStart(12, "0")}.jsonl`;
}

/** The files of an audit log, oldest first; empty if the folder does not exist. */
export async function listSegments(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  return (await readdir(folder)).filter((name) => SEGMENT.test(name)).toSorted();
}

/** Number of the first entry of a file. */
export function firstSeqOf(name: string): number {
  return Number(SEGMENT.exec(name)?.[1] ?? 0);
}

/** The complete lines of a file, oldest first. A line without a line feed is still being written and is left out. */
export async function readLines(folder: string, name: string): Promise<readonly string[]> {
  const text = await readFile(join(folder, name), "utf8");
  return text.split("\n").slice(0, -1);
}
