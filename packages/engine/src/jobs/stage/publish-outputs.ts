import { mkdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { CwlObject, CwlValue, DirectoryValue, FileOrDirectory, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { nameOf } from "@weft/cwl/files/staging/place-files.ts";
import { numberedName } from "@weft/cwl/model/safe-name.ts";
import type { SafeName } from "@weft/cwl/model/safe-name.ts";
import { giveWayWhenDue } from "../../async/give-way.ts";
import { openTrustedFolder } from "../../files/beneath/open-folder.ts";
import type { OpenFolder } from "../../files/beneath/open-folder.ts";
import { runLater } from "../../files/beneath/steps.ts";
import { linkOrCopyFile, linkOrCopyFolder } from "../../files/link-or-copy.ts";
import type { LinkOrCopyOptions } from "../../files/link-or-copy.ts";
import { hashOpenFile } from "../../files/hash-file.ts";
import { isFileOrDirectory } from "../../values/map-files.ts";

export interface PublishOptions extends LinkOrCopyOptions {
  /** Absolute path; created if missing. */
  readonly folder: string;
  /** Locations of the run's inputs, which must never be replaced. */
  readonly inputs: ReadonlySet<string>;
  /** The `file:` URL of a location's bytes. */
  readonly localUri: (location: string) => Promise<string>;
  /** Called for every File and Directory of the value with its old and new location. */
  readonly moved: (from: string, to: string) => void;
}

/**
 * Puts every File and Directory of an output object into one folder, and returns the object with their new locations.
 * Of two files with the same name, the later gets a number (`report_2.html`). Replaces files of an earlier attempt.
 * Writes literals to disk.
 */
export async function publishOutputs(outputs: CwlObject, options: PublishOptions): Promise<CwlObject> {
  await mkdir(options.folder, { recursive: true });
  using folder = await runLater(openTrustedFolder(options.folder));
  const base = `${pathToFileURL(options.folder).href}/`;
  const taken: TakenNames = new Map(
    [...options.inputs].filter((uri) => uri.startsWith(base)).map((uri) => [basename(fileURLToPath(uri)), 1]),
  );
  const target = { ...options, open: folder, taken, names: new Map<string, SafeName>() };
  const published: [string, CwlValue][] = [];
  for (const [name, value] of Object.entries(outputs)) published.push([name, await publishValue(value, target)]);
  if (options.sync) await runLater(folder.sync());
  return Object.fromEntries(published);
}

/** Names in use, each with the last number given to a duplicate. */
type TakenNames = Map<string, number>;

interface Target extends PublishOptions {
  /** `folder`, held open. */
  readonly open: OpenFolder;
  readonly taken: TakenNames;
  /** Names already used in this folder, by location: two outputs may be the same file. */
  readonly names: Map<string, SafeName>;
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
  await giveWayWhenDue();
  return value.class === "File" ? publishFile(value, target) : publishDirectory(value, target);
}

async function publishFile(file: FileValue, target: Target): Promise<FileValue> {
  const name = nameFor(file, target);
  const path = join(target.folder, name);
  if (file.location === undefined) {
    // Removes an old file first: it may be a hard link to bytes that must not change.
    await runLater(target.open.removeFile(name));
    using written = await runLater(target.open.create(name));
    written.write(file.contents ?? "");
  } else {
    const source = fileURLToPath(await target.localUri(file.location));
    await linkOrCopyFile(source, { folder: target.open, name }, target);
    target.moved(file.location, pathToFileURL(path).href);
  }
  const facts = file.location === undefined || file.checksum === undefined ? await factsOf(name, target) : {};
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
  const name = freeName(nameOf(directory), target.taken);
  const folder = join(target.folder, name);
  using open = await runLater(target.open.folder(name, { makes: true }));
  const inner = { ...target, folder, open, taken: new Map<string, number>(), names: new Map<string, SafeName>() };
  const { path: _path, listing, ...kept } = directory;
  const location = pathToFileURL(folder).href;
  if (directory.location === undefined) {
    return { ...kept, basename: name, location, listing: await publishAll(listing ?? [], inner) };
  }
  await linkOrCopyFolder(fileURLToPath(directory.location), open, inner);
  target.moved(directory.location, location);
  if (target.sync) await runLater(open.sync());
  // Its listing is read again at its new location.
  return { ...kept, basename: name, location };
}

async function factsOf(name: string, target: Target): Promise<{ checksum: string; size: number }> {
  using file = await runLater(target.open.file(name));
  const digest = await hashOpenFile(file, join(target.folder, name), { sync: target.sync });
  return { checksum: digest.sha1, size: digest.sizeBytes };
}

function renamed(name: SafeName): Pick<FileValue, "basename" | "nameroot" | "nameext"> {
  const nameext = extname(name);
  return { basename: name, nameroot: name.slice(0, name.length - nameext.length), nameext };
}

/** A file keeps one name, however many outputs refer to it. */
function nameFor(file: FileValue, target: Target): SafeName {
  const { location } = file;
  const wanted = nameOf(file);
  if (location === pathToFileURL(join(target.folder, wanted)).href) return wanted;
  const key = `${location ?? ""}\n${wanted}`;
  const known = location === undefined ? undefined : target.names.get(key);
  if (known !== undefined) return known;
  const name = freeName(wanted, target.taken);
  target.names.set(key, name);
  return name;
}

function freeName(wanted: SafeName, taken: TakenNames): SafeName {
  const ending = extname(wanted);
  let name = wanted;
  // Thousands of jobs may use the same file name, so counting continues where it stopped.
  let number = taken.get(wanted) ?? 1;
  while (taken.has(name)) name = numberedName(wanted, ++number, ending);
  taken.set(wanted, number);
  if (name !== wanted) taken.set(name, 1);
  return name;
}
