import type { Dirent, Stats } from "node:fs";
import { join } from "node:path";
import type { FileEntry } from "@weft/shared/records/process-record.ts";
import { undefinedIfMissing } from "./beneath/undefined-if-missing.ts";
import type { OpenFolder } from "./beneath/open-folder.ts";
import { OutOfReach } from "./beneath/out-of-reach.ts";
import type { Reach } from "./beneath/reach.ts";
import { runLater } from "./beneath/steps.ts";

/** The position of an entry in a listing: folders first, then by name within each kind. */
export interface EntryPlace {
  readonly kind: FileEntry["kind"];
  readonly name: string;
}

export interface ListFolderOptions {
  /** Entries after this one. */
  readonly after: EntryPlace | undefined;
  readonly size: number;
  /** Prefix of the wanted names, ignoring case. */
  readonly prefix: string;
}

export interface FolderItem extends EntryPlace {
  readonly stats: Stats;
}

export interface FolderPage {
  readonly items: readonly FolderItem[];
  /** The last position on the page, even if its entry has disappeared by now. */
  readonly last: EntryPlace | undefined;
  /** Number of all matching entries. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** Entries read per system call; a large folder is never held as a whole. */
const BUFFER = 1024;

/**
 * One page of a folder: its plain files and folders, without names that begin with a dot. Follows links to targets
 * within reach. Reads all names and keeps the first `size` after `after`. If the folder changes between pages, an entry
 * that existed all the time still appears exactly once. Undefined if there is no such folder.
 */
export async function listFolder(
  path: string,
  reach: Reach,
  options: ListFolderOptions,
): Promise<FolderPage | undefined> {
  const opened = await openFolder(path, reach);
  if (opened === undefined) return undefined;
  using folder = opened;
  return await listOpenFolder(folder, reach, options);
}

async function openFolder(path: string, reach: Reach): Promise<OpenFolder | undefined> {
  try {
    return await runLater(reach.openFolder(path));
  } catch (error) {
    if (error instanceof OutOfReach) return undefined;
    return undefinedIfMissing(error as NodeJS.ErrnoException); // the error is from a system call
  }
}

async function listOpenFolder(folder: OpenFolder, reach: Reach, options: ListFolderOptions): Promise<FolderPage> {
  const prefix = options.prefix.toLowerCase();
  const limit = options.size + 1;
  let kept: EntryPlace[] = [];
  let total = 0;
  for await (const entry of await runLater(folder.stream(BUFFER))) {
    if (entry.name.startsWith(".") || !entry.name.toLowerCase().startsWith(prefix)) continue;
    const kind = await kindOf(folder, entry, reach);
    if (kind === undefined) continue;
    total += 1;
    const place = { kind, name: entry.name };
    if (options.after !== undefined && compare(place, options.after) <= 0) continue;
    // Gathers twice as many as are needed before it drops the rest.
    if (kept.push(place) >= 2 * limit) kept = first(kept, limit);
  }
  const places = first(kept, limit);
  const items = await Promise.all(places.slice(0, options.size).map((place) => itemAt(folder, place, reach)));
  return {
    items: items.filter((item) => item !== undefined),
    last: places.slice(0, options.size).at(-1),
    total,
    hasMore: places.length > options.size,
  };
}

async function kindOf(folder: OpenFolder, entry: Dirent, reach: Reach): Promise<FileEntry["kind"] | undefined> {
  if (!reach.covers(join(folder.path, entry.name))) return undefined;
  const found = entry.isSymbolicLink() ? await statOf(folder, entry.name, reach) : entry;
  if (found?.isDirectory() === true) return "folder";
  return found?.isFile() === true ? "file" : undefined;
}

/** Undefined if the entry has disappeared since its name was read. */
async function itemAt(folder: OpenFolder, place: EntryPlace, reach: Reach): Promise<FolderItem | undefined> {
  const stats = await statOf(folder, place.name, reach);
  return stats === undefined ? undefined : { ...place, stats };
}

async function statOf(folder: OpenFolder, name: string, reach: Reach): Promise<Stats | undefined> {
  const own = await runLater(folder.lstat(name));
  if (own?.isSymbolicLink() !== true) return own;
  try {
    return await runLater(reach.stat(join(folder.path, name)));
  } catch (error) {
    if (error instanceof OutOfReach) return undefined;
    throw error;
  }
}

function compare(a: EntryPlace, b: EntryPlace): number {
  if (a.kind !== b.kind) return a.kind === "folder" ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function first(places: readonly EntryPlace[], limit: number): EntryPlace[] {
  return places.toSorted(compare).slice(0, limit);
}
