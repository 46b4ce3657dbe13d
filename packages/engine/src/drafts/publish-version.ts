import { hash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { PIN_FILE } from "../catalog/read-pin.ts";
import type { PinContent } from "../catalog/read-pin.ts";
import { refusalOfSystem } from "../journal/storage/storage-problem.ts";
import { deepenReferences } from "./deepen-references.ts";
import { syncFolder, writeSynced } from "./draft-store.ts";

export interface NewVersion {
  /** The catalog's root folder. */
  readonly root: string;
  readonly kind: "tool" | "network";
  readonly id: string;
  readonly version: string;
  readonly text: string;
  /** The folder of the version that it is based on, whose helper files and examples it copies. */
  readonly base?: { readonly folder: string; readonly isVersioned: boolean } | undefined;
  readonly by: string;
  readonly at: string;
}

/**
 * Writes a version into the catalog: first completely into a hidden folder, then into place by one rename. A crash leaves
 * the old catalog or the new one.
 */
export async function publishVersion(published: NewVersion): Promise<void> {
  const { root, kind, id, version } = published;
  const target = join(root, `${kind}s`, id, version);
  if (existsSync(target)) throw new Refusal("conflict", `${id} has a version ${version} already. Choose another one.`);
  const partial = join(root, `${PARTIAL}${randomUUID()}`);
  await removeLeftovers(root);
  try {
    await fill(partial, published);
    await mkdir(dirname(target), { recursive: true });
    await rename(partial, target);
    await syncFolder(dirname(target));
    await syncFolder(dirname(dirname(target)));
  } catch (error) {
    throw refusalOfSystem(error) ?? error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

const PARTIAL = ".publish-";
/** No version takes longer to write; a younger folder may be another server's. */
const LEFTOVER_AFTER_MS = 60 * 60 * 1000;

/** Removes what crashed servers left. */
async function removeLeftovers(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const path = join(root, name);
    if (name.startsWith(PARTIAL) && (await stat(path)).mtimeMs < Date.now() - LEFTOVER_AFTER_MS)
      await rm(path, { recursive: true, force: true });
  }
}

async function fill(folder: string, { id, text, base, by, at }: NewVersion): Promise<void> {
  await mkdir(folder);
  if (base !== undefined) await copyHelpers(base, folder);
  await writeSynced(join(folder, `${id}.cwl`), text);
  const files: Record<string, string> = {};
  for (const path of await filesBelow(folder)) {
    const bytes = await readFile(path);
    files[relative(folder, path)] = hash("sha256", bytes);
  }
  const pin: PinContent = { published: { by, at }, files };
  await writeSynced(join(folder, PIN_FILE), `${JSON.stringify(pin, undefined, 2)}\n`);
}

/** Everything but documents, marks of the version itself, and other versions. */
async function copyHelpers({ folder, isVersioned }: NonNullable<NewVersion["base"]>, to: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) {
    const from = join(folder, entry.name);
    const isMark = entry.name === PIN_FILE || entry.name === "DEPRECATED" || entry.name.endsWith(".cwl");
    if (isMark || existsSync(join(from, PIN_FILE))) continue;
    await cp(from, join(to, entry.name), { recursive: true, dereference: true });
  }
  if (!isVersioned) await deepenExamples(join(to, "examples"));
  for (const path of await filesBelow(to)) await syncFile(path);
}

async function deepenExamples(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const path of await filesBelow(folder)) {
    if (!/\.(ya?ml|json)$/.test(basename(path))) continue;
    await writeSynced(path, deepenReferences(await readFile(path, "utf8")));
  }
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Also syncs a file. */
const syncFile = syncFolder;
