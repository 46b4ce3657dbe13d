import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Catalog } from "../catalog/catalog.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import { refusalOfSystem } from "../journal/storage/storage-problem.ts";
import { copyFiles } from "./copy-files.ts";
import type { DraftContents } from "./draft-contents.ts";
import { baseOf, DRAFT_FOLDER, draftPlace } from "./draft-place.ts";
import type { StoredDraft } from "./draft-store.ts";

/** Runs of drafts may be retried for some time. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Writes the files of a draft into the hidden folder of its place, because its runs need them on disk. The folder is named
 * after its content, so that it never changes; a draft without changed files uses those of its base.
 */
export async function writeDraftFolder(draft: StoredDraft, catalog: Catalog, contents: DraftContents): Promise<void> {
  if (Object.keys(draft.files).length === 0) return;
  const { folder } = draftPlace(draft, catalog);
  if (existsSync(folder)) {
    const now = new Date();
    await utimes(folder, now, now);
    return;
  }
  const partial = join(dirname(folder), `${DRAFT_FOLDER}${randomUUID()}.partial`);
  try {
    await mkdir(partial, { recursive: true });
    const base = baseOf(draft, catalog)?.place;
    const from = base && { folder: base.folder, isVersioned: base.version !== null };
    await copyFiles({ base: from, changes: draft.files, contents }, partial);
    await rename(partial, folder).catch((error: NodeJS.ErrnoException) => {
      // Another request has already written the same files.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
    await removeOld(dirname(folder));
  } catch (error) {
    throw refusalOfSystem(error) ?? error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function removeOld(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (!name.startsWith(DRAFT_FOLDER)) continue;
    const found = await stat(path).catch(undefinedIfMissing);
    if (found !== undefined && found.mtimeMs < Date.now() - KEEP_MS) await rm(path, { recursive: true, force: true });
  }
}
