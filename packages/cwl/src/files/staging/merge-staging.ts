import type { StagingEntry } from "../../command/job-plan.ts";
import { CwlFailure } from "../../cwl-failure.ts";
import { splitPath } from "./place-files.ts";

/**
 * Staging entries without repetitions. Two different things at one place are refused, except folders, which merge.
 * A folder that is linked and gets something more inside is copied instead: nobody writes into another's data.
 * CWL v1.2 CommandLineTool.html#Directory.
 */
export function mergeStaging(entries: readonly StagingEntry[]): readonly StagingEntry[] {
  const merged = new Map<string, StagingEntry>();
  for (const entry of entries) {
    const known = merged.get(entry.target);
    if (known === undefined) merged.set(entry.target, entry);
    else if (!isSame(known, entry)) merged.set(entry.target, mergeFolders(known, entry));
  }
  for (const { target } of entries) copyLinkedParents(target, merged);
  return [...merged.values()];
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

/** The same thing once to read and once to change. */
function isCopyOf(copy: StagingEntry, link: StagingEntry): boolean {
  return copy.kind === "copy" && link.kind === "link" && copy.source === link.source;
}

function copyLinkedParents(target: string, merged: Map<string, StagingEntry>): void {
  for (let { folder } = splitPath(target); folder !== ""; { folder } = splitPath(folder)) {
    const parent = merged.get(folder);
    if (parent?.kind === "link") merged.set(folder, { ...parent, kind: "copy" });
  }
}
