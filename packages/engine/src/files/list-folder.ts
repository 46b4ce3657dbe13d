import { opendir, stat } from "node:fs/promises";
import type { Dirent } from "node:fs";
import { join } from "node:path";
import type { FileEntry } from "@weft/shared/records/process-record.ts";
import { absent } from "./absent.ts";

/** Where an entry stands in the order of a listing: folders first, each kind by name, letter by letter. */
export interface EntryPlace {
  readonly kind: FileEntry["kind"];
  readonly name: string;
}

export interface ListFolderOptions {
  /** Entries after this one. */
  readonly after: EntryPlace | undefined;
  readonly size: number;
  /** Beginning of the names that are wanted; letters of either case. */
  readonly prefix: string;
}

export interface FolderPage {
  readonly places: readonly EntryPlace[];
  /** Of all entries that fit. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** Read from the disk at once; a folder of any size is never held whole. */
const BUFFER = 1024;

/**
 * One page of a folder: its plain files and folders, links followed, without those whose name begins with a dot. Reads
 * all names and keeps the first `size` after `after`. Pages that are read while the folder changes show every entry that
 * was there all the time, once. Undefined where there is no folder.
 */
export async function listFolder(path: string, options: ListFolderOptions): Promise<FolderPage | undefined> {
  const folder = await opendir(path, { bufferSize: BUFFER }).catch(absent);
  if (folder === undefined) return undefined;
  const prefix = options.prefix.toLowerCase();
  const kept = new FirstPlaces(options.size + 1);
  let total = 0;
  for await (const entry of folder) {
    if (entry.name.startsWith(".") || !entry.name.toLowerCase().startsWith(prefix)) continue;
    const kind = await kindOf(path, entry);
    if (kind === undefined) continue;
    total += 1;
    const place = { kind, name: entry.name };
    if (options.after === undefined || compare(place, options.after) > 0) kept.add(place);
  }
  const places = kept.sorted();
  return { places: places.slice(0, options.size), total, hasMore: places.length > options.size };
}

async function kindOf(folder: string, entry: Dirent): Promise<FileEntry["kind"] | undefined> {
  const found = entry.isSymbolicLink() ? await stat(join(folder, entry.name)).catch(absent) : entry;
  if (found?.isDirectory() === true) return "folder";
  return found?.isFile() === true ? "file" : undefined;
}

function compare(a: EntryPlace, b: EntryPlace): number {
  if (a.kind !== b.kind) return a.kind === "folder" ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** The first so many of what is added: twice as many are gathered before the rest is dropped. */
class FirstPlaces {
  readonly #limit: number;
  #places: EntryPlace[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(place: EntryPlace): void {
    this.#places.push(place);
    if (this.#places.length >= 2 * this.#limit) this.#places = this.sorted();
  }

  sorted(): EntryPlace[] {
    return this.#places.toSorted(compare).slice(0, this.#limit);
  }
}
