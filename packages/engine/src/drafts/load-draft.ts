import { dirname, join } from "node:path";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { loadCatalogEntry } from "../catalog/catalog-entry.ts";
import type { CatalogEntry } from "../catalog/catalog-entry.ts";
import { diskReader } from "../files/disk-reader.ts";
import { writeDraftFolder } from "./draft-folder.ts";
import { DraftPeers } from "./draft-peers.ts";
import type { Peer } from "./draft-peers.ts";
import { draftFileReader, draftPlace, placedText, withEditedNames } from "./draft-place.ts";
import type { DraftStore, StoredDraft } from "./draft-store.ts";

export interface DraftPlaces {
  readonly catalog: Catalog;
  readonly store: DraftStore;
}

/**
 * A draft as the catalog would load it. It reads no other document than those of the catalog, those of the drafts in its
 * group, and its own files.
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
