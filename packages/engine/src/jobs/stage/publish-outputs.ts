import { mkdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { CwlValue, DirectoryValue, FileOrDirectory, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { nameOf } from "@weft/cwl/files/staging/place-files.ts";
import type { SafeName } from "@weft/cwl/model/safe-name.ts";
import { giveWay } from "../../async/give-way.ts";
import { openTrustedFolder, type OpenFolder } from "../../files/beneath/open-folder.ts";
import { runLater } from "../../files/beneath/steps.ts";
import { linkOrCopyFile, linkOrCopyFolder, type LinkOrCopyOptions } from "../../files/link-or-copy.ts";
import { hashOpenFile } from "../../files/hash-file.ts";
import { isFileOrDirectory } from "../../values/map-files.ts";
import { OutputNames, type GroupNames } from "./output-names.ts";

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

/** Publishes the values of one output object, one after the other. */
export interface Publisher extends Disposable {
  /** Returns the value with its new locations. */
  publish(value: CwlValue): Promise<CwlValue>;
  /** Resolves when all published files are on disk. */
  sync(): Promise<void>;
}

/**
 * Puts every File and Directory into one folder. If two files have the same name, the later gets a number
 * (`report_2.html`), and so do its secondary files. Replaces files of an earlier attempt. Writes literals to disk.
 */
export async function openPublisher(options: PublishOptions): Promise<Publisher> {
  await mkdir(options.folder, { recursive: true });
  const folder = await runLater(openTrustedFolder(options.folder));
  const base = `${pathToUri(options.folder)}/`;
  const names = new OutputNames([...options.inputs].filter((uri) => uri.startsWith(base)));
  const target = { ...options, open: folder, names };
  return {
    publish: (value) => publishValue(value, target),
    async sync() {
      if (options.sync) await runLater(folder.sync());
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

interface Target extends PublishOptions {
  /** `folder`, held open. */
  readonly open: OpenFolder;
  readonly names: OutputNames;
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

/** `group`: the names of the file of which it is a secondary file. */
async function publishOne(value: FileOrDirectory, target: Target, group?: GroupNames): Promise<FileOrDirectory> {
  await giveWay();
  if (value.class === "File") return publishFile(value, target, group ?? target.names.ofFile(value));
  return publishDirectory(value, target, group?.get(value) ?? target.names.ofDirectory(nameOf(value)));
}

async function publishFile(file: FileValue, target: Target, group: GroupNames): Promise<FileValue> {
  const name = group.get(file) ?? nameOf(file);
  const location = pathToUri(join(target.folder, name));
  if (file.location === undefined) {
    // Removes an old file first: it may be a hard link to bytes that must not change.
    await runLater(target.open.removeFile(name));
    using written = await runLater(target.open.create(name));
    written.write(file.contents ?? "");
  } else {
    const source = fileURLToPath(await target.localUri(file.location));
    await linkOrCopyFile(source, { folder: target.open, name }, target);
    target.moved(file.location, location);
  }
  const facts = file.location === undefined || file.checksum === undefined ? await factsOf(name, target) : {};
  const { path: _path, dirname: _dirname, contents: _contents, secondaryFiles, ...kept } = file;
  const secondary = secondaryFiles === undefined ? undefined : await publishAll(secondaryFiles, target, group);
  const moved = {
    ...kept,
    ...facts,
    ...(name === file.basename ? {} : renamed(name)),
    location,
  };
  return secondary === undefined ? moved : { ...moved, secondaryFiles: secondary };
}

async function publishAll(
  values: readonly FileOrDirectory[],
  target: Target,
  group?: GroupNames,
): Promise<FileOrDirectory[]> {
  const published: FileOrDirectory[] = [];
  for (const value of values) published.push(await publishOne(value, target, group));
  return published;
}

async function publishDirectory(directory: DirectoryValue, target: Target, name: SafeName): Promise<DirectoryValue> {
  const folder = join(target.folder, name);
  using open = await runLater(target.open.folder(name, { makes: true }));
  const inner = { ...target, folder, open, names: new OutputNames() };
  const { path: _path, listing, ...kept } = directory;
  const location = pathToUri(folder);
  if (directory.location === undefined) {
    return { ...kept, basename: name, location, listing: await publishAll(listing ?? [], inner) };
  }
  await linkOrCopyFolder(fileURLToPath(directory.location), open, inner);
  target.moved(directory.location, location);
  if (target.sync) await runLater(open.sync());
  // The folder's listing is read again at its new location.
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
