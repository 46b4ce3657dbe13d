import { readdirSync, realpathSync, statSync } from "node:fs";
import type { Stats } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { FileAccess, FileStat, FolderEntry } from "@weft/cwl/files/file-access.ts";
import { absent } from "./absent.ts";
import { hashFile } from "./hash-file.ts";
import { isBelow } from "./is-below.ts";

/** Questions to a disk; one that is near answers at once. Undefined: nothing is there. */
interface Disk {
  stat(path: string): Promise<Stats | undefined> | Stats | undefined;
  names(folder: string): Promise<string[]> | string[];
  realPath(path: string): Promise<string | undefined> | string | undefined;
}

const FAR: Disk = {
  stat: (path) => stat(path).catch(absent),
  names: (folder) => readdir(folder),
  realPath: (path) => realpath(path).catch(absent),
};

const NEAR: Disk = {
  stat: (path) => orAbsent(() => statSync(path)),
  names: (folder) => readdirSync(folder),
  realPath: (path) => orAbsent(() => realpathSync.native(path)),
};

/**
 * The language's view of the local disk. `sync`: what is hashed is on disk before its checksum is answered. `near`: the
 * folder where jobs work, on a local disk. There an answer takes microseconds, a tenth of what handing the question to a
 * thread costs, so it is asked at once; elsewhere a network file system may let us wait, and a server must not.
 */
export function createDiskFiles(options: { readonly sync: boolean; readonly near: string }): FileAccess {
  const diskOf = (path: string) => (isBelow(path, options.near) ? NEAR : FAR);
  return {
    stat: async (uri) => {
      const path = fileURLToPath(uri);
      return toFileStat(await diskOf(path).stat(path));
    },
    list: async (uri) => {
      const folder = fileURLToPath(uri);
      return listFolder(folder, uri, diskOf(folder));
    },
    readText: (uri, maxBytes) => readStart(fileURLToPath(uri), maxBytes),
    checksum: async (uri) => {
      const path = fileURLToPath(uri);
      return (await hashFile(path, { sync: options.sync, near: isBelow(path, options.near) })).sha1;
    },
    realUri: async (uri) => {
      const path = fileURLToPath(uri);
      const real = await diskOf(path).realPath(path);
      return real === undefined ? undefined : pathToFileURL(real).href;
    },
  };
}

function toFileStat(found: Stats | undefined): FileStat | undefined {
  if (found === undefined) return undefined;
  if (found.isDirectory()) return { kind: "directory", size: 0 };
  return found.isFile() ? { kind: "file", size: found.size } : { kind: "other", size: 0 };
}

async function listFolder(folder: string, uri: string, disk: Disk): Promise<FolderEntry[]> {
  const names = (await disk.names(folder)).sort((a, b) => (a < b ? -1 : 1));
  const base = uri.endsWith("/") ? uri : `${uri}/`;
  const entries: FolderEntry[] = [];
  for (const name of names) {
    const found = toFileStat(await disk.stat(join(folder, name))) ?? { kind: "other", size: 0 };
    entries.push({ name, uri: base + pathToFileURL(`/${name}`).href.slice("file:///".length), ...found });
  }
  return entries;
}

async function readStart(path: string, maxBytes: number): Promise<string> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function orAbsent<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch (error) {
    return absent(error as NodeJS.ErrnoException);
  }
}
