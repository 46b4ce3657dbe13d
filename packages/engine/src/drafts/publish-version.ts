import { hash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { PIN_FILE } from "../catalog/read-pin.ts";
import type { PinContent } from "../catalog/read-pin.ts";
import { refusalOfSystem } from "../journal/storage/storage-problem.ts";
import { copyFiles, filesBelow } from "./copy-files.ts";
import type { CopiedFiles } from "./copy-files.ts";
import { syncFolder, writeSynced } from "./write-synced.ts";

export interface NewVersion extends CopiedFiles {
  /** The catalog's root folder. */
  readonly root: string;
  readonly kind: "tool" | "network";
  readonly id: string;
  readonly version: string;
  readonly text: string;
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
  if (existsSync(target)) throw taken(published);
  const partial = join(root, `${PARTIAL}${randomUUID()}`);
  await removeLeftovers(root);
  try {
    await fill(partial, published);
    await mkdir(dirname(target), { recursive: true });
    await rename(partial, target).catch((error: NodeJS.ErrnoException) => {
      // Another server has published it meanwhile.
      throw error.code === "ENOTEMPTY" || error.code === "EEXIST" ? taken(published) : error;
    });
    await syncFolder(dirname(target));
    await syncFolder(dirname(dirname(target)));
  } catch (error) {
    throw refusalOfSystem(error) ?? error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

function taken({ id, version }: NewVersion): Refusal {
  return new Refusal("conflict", `${id} has a version ${version} already. Choose another one.`);
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

async function fill(folder: string, { id, text, by, at, ...copied }: NewVersion): Promise<void> {
  await mkdir(folder);
  await copyFiles(copied, folder);
  for (const path of await filesBelow(folder)) await syncFile(path);
  await writeSynced(join(folder, `${id}.cwl`), text);
  const files: Record<string, string> = {};
  for (const path of await filesBelow(folder)) {
    const bytes = await readFile(path);
    files[relative(folder, path)] = hash("sha256", bytes);
  }
  const pin: PinContent = { published: { by, at }, files };
  await writeSynced(join(folder, PIN_FILE), `${JSON.stringify(pin, undefined, 2)}\n`);
}

/** Also syncs a file. */
const syncFile = syncFolder;
