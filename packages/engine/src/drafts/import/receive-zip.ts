import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { unpackStream } from "../../archive/unpack/unpack-zip.ts";
import { listBelow } from "../../files/list-below.ts";
import { refusalOfSystem } from "../../journal/storage/storage-problem.ts";
import type { ImportedFile, ImportedFiles } from "./imported-files.ts";

const LIMITS = { entries: 5000, bytes: 64 * 1024 * 1024, tooLarge: "An import may have at most 64 MiB." };

/** Unpacks an untrusted zip in its own folder, which exists until `use` has ended. Refuses hostile and large zips. */
export async function receiveZip<Result>(
  content: Readable | Buffer,
  importsFolder: string,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = join(importsFolder, `drafts-${randomUUID()}`);
  try {
    await mkdir(join(folder, "files"), { recursive: true, mode: 0o700 });
    const stream = content instanceof Readable ? content : Readable.from([content]);
    await unpackStream(stream, { zip: join(folder, "import.zip"), folder: join(folder, "files") }, LIMITS);
    return await use(join(folder, "files"));
  } catch (error) {
    // The refusal is the same as for crates, with another message.
    if (error instanceof Refusal && error.code === "invalid-crate") throw new Refusal("invalid-body", error.message);
    throw refusalOfSystem(error) ?? error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The files of an unpacked zip, and the paths of those that systems and version control keep next to them. */
export async function readFiles(
  folder: string,
): Promise<{ readonly files: ImportedFiles; readonly hidden: readonly string[] }> {
  const entries = await listBelow(folder);
  const files = new Map<string, ImportedFile>();
  const hidden: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (/(?:^|\/)(?:\.|__MACOSX\/)/.test(name)) hidden.push(name);
    else files.set(name, { content: await readFile(path), isExecutable: ((await stat(path)).mode & 0o100) !== 0 });
  }
  return { files, hidden: hidden.sort() };
}
