import type { Dirent } from "node:fs";
import { join } from "node:path";
import { isListed, isReadEarly, type DatasetEntry, type DatasetSource } from "@weft/shared/dataset/dataset-source.ts";
import type { OpenFolder } from "../files/beneath/open-folder.ts";
import { OutOfReach } from "../files/beneath/out-of-reach.ts";
import { readSmallText } from "../files/beneath/read-small-text.ts";
import type { Reach } from "../files/beneath/reach.ts";
import type { Steps } from "../files/beneath/steps.ts";
import { unlessUnreadable } from "./list-datasets.ts";

export const MAX_ENTRIES = 300_000;
const MAX_DEPTH = 20;
const MAX_ALL_TEXTS_BYTES = 128 * 1024 ** 2;

/** The folder has more entries than a dataset may have. */
export class TooManyEntries extends Error {}

interface Walk {
  readonly reach: Reach;
  readonly kind: "bids" | "files";
  readonly entries: DatasetEntry[];
  readonly texts: Map<string, string>;
  textBytes: number;
}

/**
 * Lists a folder and the folders in it, and reads the small texts that describe a dataset. Opens no link to a path
 * out of reach. Lists a file that is a link without resolving it, because in a DataLad dataset, all files are links.
 */
export function* readFolder(path: string, reach: Reach, kind: "bids" | "files"): Steps<DatasetSource> {
  const walk: Walk = { reach, kind, entries: [], texts: new Map(), textBytes: 0 };
  using folder = yield* reach.openFolder(path);
  yield* readInto(walk, folder, "");
  walk.entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  return walk;
}

function* readInto(walk: Walk, folder: OpenFolder, prefix: string): Steps<void> {
  for (const entry of yield* folder.entries()) {
    const path = prefix + entry.name;
    if (entry.name.startsWith(".") && path !== ".bidsignore") continue;
    if (!isText(entry.name) || !walk.reach.covers(join(folder.path, entry.name))) continue;
    if (walk.entries.length >= MAX_ENTRIES) throw new TooManyEntries();
    if (yield* isFolder(walk, folder, entry)) yield* readInner(walk, folder, path);
    else if (entry.isFile() || entry.isSymbolicLink()) {
      walk.entries.push({ path });
      if (walk.kind === "bids" && isReadEarly(path)) yield* readText(walk, folder, path);
    }
  }
}

/** Weft addresses files by UTF-8; other names cannot be inputs. */
function isText(name: string): boolean {
  return !name.includes("\uFFFD");
}

/** Only a link without an extension can be a folder of a subject; resolving each link would take too long. */
function* isFolder({ reach }: Walk, folder: OpenFolder, entry: Dirent): Steps<boolean> {
  if (!entry.isSymbolicLink() || entry.name.includes(".")) return entry.isDirectory();
  try {
    return (yield* reach.stat(join(folder.path, entry.name)))?.isDirectory() === true;
  } catch (error) {
    if (error instanceof OutOfReach) return false;
    throw error;
  }
}

function* readInner(walk: Walk, outer: OpenFolder, path: string): Steps<void> {
  if (!isListed(path, walk.kind) || path.split("/").length > MAX_DEPTH) {
    walk.entries.push({ path, isFolder: true });
    return;
  }
  const opened = yield* openInner(walk, outer, path);
  if (opened === undefined) return;
  using folder = opened;
  yield* readInto(walk, folder, `${path}/`);
}

/** Undefined if it has disappeared, cannot be read, or leads out of reach. */
function* openInner({ reach }: Walk, outer: OpenFolder, path: string): Steps<OpenFolder | undefined> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  try {
    return yield* outer.folder(name);
  } catch {
    // A link, which the kernel refuses to follow.
  }
  return yield* unlessUnreadable(reach.openFolder(join(outer.path, name)));
}

function* readText(walk: Walk, folder: OpenFolder, path: string): Steps<void> {
  const text = yield* readSmallText(walk.reach, join(folder.path, path.slice(path.lastIndexOf("/") + 1)));
  if (text === undefined || walk.textBytes + text.length > MAX_ALL_TEXTS_BYTES) return;
  walk.textBytes += text.length;
  walk.texts.set(path, text);
}
