import { constants } from "node:fs";
import { copyFile, link, mkdir, open, readdir, realpath, rm, stat, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { CwlObject, CwlValue, DirectoryValue, FileOrDirectory, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { absent } from "../files/absent.ts";
import { hashFile } from "../files/hash-file.ts";
import { isBelow } from "../files/is-below.ts";
import { isFileOrDirectory } from "../files/map-files.ts";

export interface PublishOptions {
  /** Absolute path; made when it is not there. */
  readonly folder: string;
  /** Files below it are ours: they are linked where the file system can. Others are copied. */
  readonly ownFolder: string;
  /** Addresses of the run's inputs: none of them is ever replaced. */
  readonly inputs: ReadonlySet<string>;
  /** The bytes are on disk before this resolves. */
  readonly sync: boolean;
  /** Where the bytes of a location are: its `file:` address. */
  readonly localUri: (location: string) => Promise<string>;
  /** Told for every file and folder of the value: its address before and after. */
  readonly moved: (from: string, to: string) => void;
}

/**
 * Puts every File and Directory of an output object into one folder and answers the object with their new locations.
 * Of two with the same name the later gets a number (`report_2.html`); what an earlier attempt left is replaced.
 * Literals are written out.
 */
export async function publishOutputs(outputs: CwlObject, options: PublishOptions): Promise<CwlObject> {
  await mkdir(options.folder, { recursive: true });
  const base = `${pathToFileURL(options.folder).href}/`;
  const taken: TakenNames = new Map(
    [...options.inputs].filter((uri) => uri.startsWith(base)).map((uri) => [basename(fileURLToPath(uri)), 1]),
  );
  const target = { ...options, taken, names: new Map<string, string>() };
  const published: [string, CwlValue][] = [];
  for (const [name, value] of Object.entries(outputs)) published.push([name, await publishValue(value, target)]);
  if (options.sync) await syncFolder(options.folder);
  return Object.fromEntries(published);
}

/** Every name that is in use, with the last number that was given to one that wanted it. */
type TakenNames = Map<string, number>;

interface Target extends PublishOptions {
  readonly taken: TakenNames;
  /** Names of what stands in this folder already, by its address: two outputs may be the same file. */
  readonly names: Map<string, string>;
}

async function publishValue(value: CwlValue, target: Target): Promise<CwlValue> {
  if (isFileOrDirectory(value)) return publishOne(value, target);
  if (Array.isArray(value)) {
    const items: CwlValue[] = [];
    for (const item of value) items.push(await publishValue(item, target));
    return items;
  }
  if (typeof value !== "object" || value === null) return value;
  const fields: [string, CwlValue][] = [];
  for (const [name, field] of Object.entries(value)) fields.push([name, await publishValue(field, target)]);
  return Object.fromEntries(fields);
}

async function publishOne(value: FileOrDirectory, target: Target): Promise<FileOrDirectory> {
  return value.class === "File" ? publishFile(value, target) : publishDirectory(value, target);
}

async function publishFile(file: FileValue, target: Target): Promise<FileValue> {
  const name = nameFor(file, target);
  const path = join(target.folder, name);
  if (file.location === undefined) {
    // An old file is taken away first: it may be another name of bytes that must not change.
    await rm(path, { force: true });
    await writeFile(path, file.contents ?? "");
  } else {
    await bringFile(fileURLToPath(await target.localUri(file.location)), path, target);
    target.moved(file.location, pathToFileURL(path).href);
  }
  const facts = file.location === undefined || file.checksum === undefined ? await factsOf(path, target) : {};
  const { path: _path, dirname: _dirname, contents: _contents, secondaryFiles, ...kept } = file;
  const secondary = secondaryFiles === undefined ? undefined : await publishAll(secondaryFiles, target);
  const moved = {
    ...kept,
    ...facts,
    ...(name === file.basename ? {} : renamed(name)),
    location: pathToFileURL(path).href,
  };
  return secondary === undefined ? moved : { ...moved, secondaryFiles: secondary };
}

async function publishAll(values: readonly FileOrDirectory[], target: Target): Promise<FileOrDirectory[]> {
  const published: FileOrDirectory[] = [];
  for (const value of values) published.push(await publishOne(value, target));
  return published;
}

async function publishDirectory(directory: DirectoryValue, target: Target): Promise<DirectoryValue> {
  const name = freeName(directory.basename ?? "directory", target.taken);
  const folder = join(target.folder, name);
  await mkdir(folder, { recursive: true });
  const inner = { ...target, folder, taken: new Map<string, number>(), names: new Map<string, string>() };
  const { path: _path, listing, ...kept } = directory;
  const location = pathToFileURL(folder).href;
  if (directory.location === undefined) {
    return { ...kept, basename: name, location, listing: await publishAll(listing ?? [], inner) };
  }
  await bringFolder(fileURLToPath(directory.location), inner);
  target.moved(directory.location, location);
  if (target.sync) await syncFolder(folder);
  // Its listing is read anew where it lies now.
  return { ...kept, basename: name, location };
}

/** `around`: the real folders that hold this one; a link back to one of them would be brought without end. */
async function bringFolder(source: string, target: Target, around: readonly string[] = []): Promise<void> {
  const within = [...around, await realpath(source)];
  for (const name of await readdir(source)) {
    const from = join(source, name);
    const to = join(target.folder, name);
    if (!(await stat(from)).isDirectory()) await bringFile(from, to, target);
    else if (!within.includes(await realpath(from))) {
      await mkdir(to, { recursive: true });
      await bringFolder(from, { ...target, folder: to }, within);
    }
  }
}

async function bringFile(source: string, path: string, target: Target): Promise<void> {
  const real = await realpath(source);
  // A hard link to somebody else's file would let later changes of it change our result.
  if (isBelow(real, target.ownFolder) && (await linkFile(real, path))) return;
  // An output may be an input that lies where it would go: it stays as it is.
  if (await isSameFile(real, path)) return;
  await rm(path, { force: true });
  await copyFile(real, path, constants.COPYFILE_FICLONE);
  if (target.sync) await syncFile(path);
}

/** False where the file system cannot link. What is in the way is replaced. */
async function linkFile(real: string, path: string): Promise<boolean> {
  try {
    await link(real, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EXDEV" || code === "EPERM" || code === "EMLINK" || code === "ENOTSUP") return false;
    if (code !== "EEXIST") throw error;
  }
  if (await isSameFile(real, path)) return true;
  await rm(path, { force: true });
  return linkFile(real, path);
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([stat(one), stat(other).catch(absent)]);
  return second !== undefined && first.ino === second.ino && first.dev === second.dev;
}

async function factsOf(path: string, target: PublishOptions): Promise<{ checksum: string; size: number }> {
  const digest = await hashFile(path, { sync: target.sync });
  return { checksum: digest.sha1, size: digest.sizeBytes };
}

function renamed(name: string): Pick<FileValue, "basename" | "nameroot" | "nameext"> {
  const nameext = extname(name);
  return { basename: name, nameroot: name.slice(0, name.length - nameext.length), nameext };
}

/** The same file keeps one name however many outputs are it. */
function nameFor({ location, basename: wanted = "file" }: FileValue, target: Target): string {
  if (location === pathToFileURL(join(target.folder, wanted)).href) return wanted;
  const key = `${location ?? ""}\n${wanted}`;
  const known = location === undefined ? undefined : target.names.get(key);
  if (known !== undefined) return known;
  const name = freeName(wanted, target.taken);
  target.names.set(key, name);
  return name;
}

function freeName(wanted: string, taken: TakenNames): string {
  const ending = extname(wanted);
  const stem = wanted.slice(0, wanted.length - ending.length);
  let name = wanted;
  // Thousands of jobs may give their file the same name: counting goes on where it stopped.
  let number = taken.get(wanted) ?? 1;
  while (taken.has(name)) name = `${stem}_${++number}${ending}`;
  taken.set(wanted, number);
  if (name !== wanted) taken.set(name, 1);
  return name;
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const syncFolder = syncFile;
