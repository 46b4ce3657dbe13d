import type { Stats } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { FileAccess, FileStat, FolderEntry } from "@weft/cwl/files/file-access.ts";
import { hashFile } from "./hash-file.ts";

/** The language's view of the local disk. `sync`: what is hashed is on disk before its checksum is answered. */
export function createDiskFiles(options: { readonly sync: boolean }): FileAccess {
  return {
    stat: (uri) => statOf(fileURLToPath(uri)),
    list: (uri) => listFolder(uri),
    readText: (uri, maxBytes) => readStart(fileURLToPath(uri), maxBytes),
    checksum: async (uri) => (await hashFile(fileURLToPath(uri), options)).sha1,
    realUri: async (uri) => {
      const path = await realpath(fileURLToPath(uri)).catch(absent);
      return path === undefined ? undefined : pathToFileURL(path).href;
    },
  };
}

async function statOf(path: string): Promise<FileStat | undefined> {
  const found = await stat(path).catch(absent);
  return found === undefined ? undefined : toFileStat(found);
}

function toFileStat(found: Stats): FileStat {
  if (found.isDirectory()) return { kind: "directory", size: 0 };
  return found.isFile() ? { kind: "file", size: found.size } : { kind: "other", size: 0 };
}

async function listFolder(uri: string): Promise<FolderEntry[]> {
  const folder = fileURLToPath(uri);
  const names = (await readdir(folder)).sort((a, b) => (a < b ? -1 : 1));
  const base = uri.endsWith("/") ? uri : `${uri}/`;
  const entries: FolderEntry[] = [];
  for (const name of names) {
    const found = (await statOf(`${folder}/${name}`)) ?? { kind: "other", size: 0 };
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

/** Nothing there, or a dangling link, is an answer; anything else is a broken surrounding. */
export function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "ELOOP" || error.code === "EACCES")
    return undefined;
  throw error;
}
