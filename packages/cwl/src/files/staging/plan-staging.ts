/**
 * Plans where the input files of a job are staged: each primary File is in its own numbered folder with its secondary files,
 * as is each Directory, so equal names never collide. `assignPaths` chooses the paths. Once InitialWorkDirRequirement has
 * moved its files, `stagingFor` lists the actions that create them.
 */
import type { StagingEntry } from "../../model/job-plan.ts";
import type { CwlObject, CwlValue, FileOrDirectory } from "../../model/cwl-value.ts";
import { joinJobPath, splitJobPath, toJobPath, type JobPath } from "../../model/safe-name.ts";
import type { GiveWay } from "../../give-way.ts";
import { nameOf, placeAt } from "./place-files.ts";
import { mapFields, mapItems } from "../../values/map-values.ts";
import { isArray, isFileOrDirectory, isObject } from "../../values/value-kind.ts";

/** Gives every File and Directory in an input object its path below `stagedir`. Deterministic: numbered in order. */
export function assignPaths(inputs: CwlObject, stagedir: string): CwlObject {
  let count = 0;
  const place = (value: FileOrDirectory) => placeAt(value, joinJobPath(`${stagedir}/${count++}`, nameOf(value)));
  return mapFields(inputs, (value) => replaceFiles(value, place));
}

/** Replaces the Files and Directories of a value, except those nested inside another; returns the value itself if it has none. */
export function replaceFiles(value: CwlValue, replace: (value: FileOrDirectory) => CwlValue): CwlValue {
  if (typeof value !== "object") return value;
  if (isFileOrDirectory(value)) return replace(value);
  if (isArray(value)) return mapItems(value, (item) => replaceFiles(item, replace));
  return isObject(value) ? mapFields(value, (field) => replaceFiles(field, replace)) : value;
}

/** The actions that create an input object's files at the paths of `assignPaths`, except files moved out of `stagedir`. */
export async function stagingForInputs(
  inputs: CwlObject,
  stagedir: string,
  giveWay: GiveWay,
): Promise<readonly StagingEntry[]> {
  const placed: FileOrDirectory[] = [];
  replaceFiles(inputs, (value) => {
    placed.push(value);
    return value;
  });
  const entries: StagingEntry[] = [];
  for (const value of placed) {
    const due = giveWay();
    if (due !== undefined) await due;
    const staged = stagingFor(value, { mode: "link", folder: stagedir });
    const folder = staged[0] === undefined ? "" : splitJobPath(staged[0].target).folder;
    if (folder !== "") entries.push({ kind: "folder", target: folder }, ...staged);
  }
  return entries;
}

interface StagingOptions {
  /** `copy` if the job may change the file. */
  readonly mode: "link" | "copy";
  /** Stages only files with a path below this folder. */
  readonly folder: string;
}

/** The actions for one placed File or Directory and its secondary files or listing, parents first. */
export function stagingFor(value: FileOrDirectory, options: StagingOptions): readonly StagingEntry[] {
  const members = membersOf(value).flatMap((member) => stagingFor(member, options));
  // Expressions can also set paths, so the path may be invalid.
  const path = value.path === undefined ? undefined : toJobPath(value.path);
  return path?.startsWith(`${options.folder}/`) === true ? [stagingOf(value, path, options), ...members] : members;
}

function stagingOf(value: FileOrDirectory, target: JobPath, { mode }: StagingOptions): StagingEntry {
  if (value.location !== undefined) return { kind: mode, source: value.location, target, of: value.class };
  return value.class === "File" ? { kind: "text", text: value.contents ?? "", target } : { kind: "folder", target };
}

/** Files that belong to the value but are staged separately: the listing of a folder on disk comes with the folder. */
function membersOf(value: FileOrDirectory): readonly FileOrDirectory[] {
  if (value.class === "File") return value.secondaryFiles ?? [];
  return value.location === undefined ? (value.listing ?? []) : [];
}
