import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PIN_FILE } from "../catalog/read-pin.ts";
import type { CatalogPlace } from "../catalog/scan-catalog.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import { listBelow } from "../files/list-below.ts";
import { deepenReferences } from "./edit-references.ts";
import type { DraftContents, FileChanges } from "./draft-contents.ts";
import { isMark } from "./draft-file-path.ts";
import { writeDurably } from "../files/write-durably.ts";

export interface CopiedFiles {
  /** The place of the version that a new one is based on. */
  readonly base?: Pick<CatalogPlace, "folder" | "version"> | undefined;
  readonly changes?: FileChanges | undefined;
  readonly contents?: Pick<DraftContents, "get"> | undefined;
}

/** Copies the files next to a document: helper files, tests and examples, with the changes of a draft. */
export async function copyFiles({ base, changes = {}, contents }: CopiedFiles, to: string): Promise<void> {
  if (base !== undefined) await copyBase(base.folder, to);
  for (const [path, change] of Object.entries(changes)) {
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true });
    // Without a mode of its own, a content gets that of the file that it replaces.
    if (change?.isExecutable !== undefined || change === null) await rm(target, { force: true });
    if (change !== null && contents !== undefined)
      await writeFile(target, await contents.get(change), { mode: change.isExecutable === true ? 0o777 : 0o666 });
  }
  for (const folder of ["tests", "examples"]) await removeIfEmpty(join(to, folder));
  if (base?.version === null) for (const folder of ["tests", "examples"]) await deepen(join(to, folder));
}

/** Copies the files of a version, except its documents, its own marks, and other versions. */
async function copyBase(folder: string, to: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const from = join(folder, entry.name);
    const isOwn = isMark(entry.name) || entry.name.endsWith(".cwl") || entry.name.startsWith(".");
    if (isOwn || existsSync(join(from, PIN_FILE))) continue;
    await cp(from, join(to, entry.name), { recursive: true, dereference: true });
  }
}

/** Adapts the references in input objects of a folder that is one level deeper than its original. */
async function deepen(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const path of await filesBelow(folder)) {
    if (!/\.(ya?ml|json)$/.test(basename(path))) continue;
    await writeDurably(path, deepenReferences(await readFile(path, "utf8")));
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  if (existsSync(folder) && (await readdir(folder)).length === 0) await rm(folder, { recursive: true });
}

/** Paths of all files below a folder, sorted. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await listBelow(folder);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Removes entries of a folder that were last changed some time ago. */
export async function removeOld(
  folder: string,
  { prefix, afterMs }: { readonly prefix: string; readonly afterMs: number },
): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(undefinedIfMissing);
    if (found !== undefined && found.mtimeMs < Date.now() - afterMs) await rm(path, { recursive: true, force: true });
  }
}
