import { dirname, join } from "node:path";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { loadCatalogEntry, type CatalogEntry } from "../catalog/catalog-entry.ts";
import { diskReader } from "../files/disk-reader.ts";
import { DraftPeers, type Peer } from "./draft-peers.ts";
import { draftFileReader, draftPlace, placedText, withEditedNames, baseOf, DRAFT_FOLDER } from "./draft-place.ts";
import type { DraftStore, StoredDraft } from "./draft-store.ts";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, utimes } from "node:fs/promises";
import { refusalOfSystem } from "../journal/storage/storage-problem.ts";
import { copyFiles, removeOld } from "./copy-files.ts";
import type { DraftContents } from "./draft-contents.ts";

export interface DraftPlaces {
  readonly catalog: Catalog;
  readonly store: DraftStore;
}

/**
 * A draft as the catalog would load it. Reads only the documents of the catalog, those of the drafts in its group, and
 * its own files.
 */
export async function loadDraft(draft: StoredDraft, places: DraftPlaces): Promise<CatalogEntry> {
  return (await loadWithPeers(draft, places)).entry;
}

/** A draft whose files, and those of the drafts that it refers to, are on disk, so that it can run. */
export async function loadDraftToRun(draft: StoredDraft, places: DraftPlaces): Promise<CatalogEntry> {
  const { entry, peers } = await loadWithPeers(draft, places);
  const { catalog, store } = places;
  for (const one of [draft, ...peers.map((peer) => peer.draft)]) await writeDraftFolder(one, catalog, store.contents);
  return entry;
}

async function loadWithPeers(
  draft: StoredDraft,
  { catalog, store }: DraftPlaces,
): Promise<{ readonly entry: CatalogEntry; readonly peers: readonly Peer[] }> {
  const place = draftPlace(draft, catalog);
  const uri = pathToUri(join(place.folder, place.documents[0] ?? ""));
  const root = `${pathToUri(catalog.root)}/`;
  const peers = new DraftPeers(draft, store, catalog);
  const read = async (asked: string) => {
    if (!new URL(asked).href.startsWith(root)) return undefined;
    for (const peer of [{ draft, uri }, ...(await peers.all())]) {
      if (asked === peer.uri) return peers.redirect(placedText(peer.draft, catalog), peer.uri);
      const own = draftFileReader(peer.draft, { catalog, contents: store.contents });
      if (own === undefined || !asked.startsWith(`${dirname(peer.uri)}/`)) continue;
      const text = await own(asked);
      return text === undefined ? undefined : peers.redirect(text, asked);
    }
    return diskReader.read(asked);
  };
  const { ignoresContainers } = catalog;
  const loaded = await loadCatalogEntry(place, { root: catalog.root, reader: { read }, ignoresContainers });
  const entry = withEditedNames(loaded, draft, catalog);
  return { entry, peers: await peers.all() };
}

/** Runs of drafts may be retried for this long. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Writes the files of a draft into its hidden folder, because its runs need them on disk. The folder is named after its
 * content, so that it never changes; a draft without changed files uses those of its base.
 */
async function writeDraftFolder(draft: StoredDraft, catalog: Catalog, contents: DraftContents): Promise<void> {
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
    await copyFiles({ base: baseOf(draft, catalog)?.place, changes: draft.files, contents }, partial);
    await rename(partial, folder).catch((error: NodeJS.ErrnoException) => {
      // Another request has already written the same files.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
    await removeOld(dirname(folder), { prefix: DRAFT_FOLDER, afterMs: KEEP_MS });
  } catch (error) {
    throw refusalOfSystem(error) ?? error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
