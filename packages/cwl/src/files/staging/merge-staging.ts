import type { StagingEntry } from "../../model/job-plan.ts";
import { CwlFailure } from "../../cwl-failure.ts";
import { splitJobPath, type JobPath } from "../../model/safe-name.ts";

/** A file that is created when the job starts, and the field that names it (`stdout`, `stderr`). */
export interface CreatedFile {
  readonly by: string;
  readonly target: JobPath;
}

/**
 * Removes duplicate staging entries and merges folders. Throws STAGE_IN for two different items at one path. Copies a
 * linked folder to which entries are added, so that nothing is written into the original. For the same reason, refuses an
 * entry at the path of a created file.
 * CWL v1.2 CommandLineTool.html#Directory.
 */
export function mergeStaging(
  entries: readonly StagingEntry[],
  created: readonly CreatedFile[] = [],
): readonly StagingEntry[] {
  const merged = new Map<string, StagingEntry>();
  for (const entry of entries) {
    const known = merged.get(entry.target);
    if (known === undefined) merged.set(entry.target, entry);
    else if (!isSame(known, entry)) merged.set(entry.target, mergeFolders(known, entry));
  }
  for (const { by, target } of created) refuseStaged(by, merged.get(target));
  const visited = new Set<string>();
  for (const { target } of [...entries, ...created]) copyLinkedParents(target, merged, visited);
  return [...merged.values()];
}

function refuseStaged(by: string, entry: StagingEntry | undefined): void {
  if (entry === undefined) return;
  const { name } = splitJobPath(entry.target);
  const what = isFolder(entry) ? "folder" : "file";
  throw new CwlFailure("STAGE_IN", `\`${by}\` would overwrite \`${name}\`, a ${what} that is staged under that name`, {
    place: by,
    hint: `give \`${by}\` another name, or stage the ${what} under another \`entryname\``,
  });
}

function isSame(a: StagingEntry, b: StagingEntry): boolean {
  if (a.kind === "text" || b.kind === "text")
    return a.kind === b.kind && a.kind === "text" && b.kind === "text" && a.text === b.text;
  if (a.kind === "folder" || b.kind === "folder") return a.kind === b.kind;
  return a.kind === b.kind && a.source === b.source;
}

function mergeFolders(first: StagingEntry, second: StagingEntry): StagingEntry {
  if (first.kind === "folder" && isFolder(second)) return second;
  if (second.kind === "folder" && isFolder(first)) return first;
  if (isCopyOf(first, second)) return first;
  if (isCopyOf(second, first)) return second;
  throw new CwlFailure("STAGE_IN", `two different files would be staged as \`${first.target}\``, {
    hint: "give one of them another `basename`, or an `entryname` of its own",
  });
}

function isFolder(entry: StagingEntry): boolean {
  return entry.kind === "folder" || ((entry.kind === "link" || entry.kind === "copy") && entry.of === "Directory");
}

/** True if one entry is a writable copy of the file that the other links to. */
function isCopyOf(copy: StagingEntry, link: StagingEntry): boolean {
  return copy.kind === "copy" && link.kind === "link" && copy.source === link.source;
}

/** `visited`: folders whose parents have already been checked. */
function copyLinkedParents(target: JobPath, merged: Map<string, StagingEntry>, visited: Set<string>): void {
  for (let { folder } = splitJobPath(target); folder !== ""; { folder } = splitJobPath(folder)) {
    if (visited.has(folder)) return;
    visited.add(folder);
    const parent = merged.get(folder);
    if (parent?.kind === "link") merged.set(folder, { ...parent, kind: "copy" });
  }
}
