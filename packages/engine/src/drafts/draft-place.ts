import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogEntry } from "../catalog/catalog-entry.ts";
import { loadCatalogEntry } from "../catalog/catalog-entry.ts";
import type { CatalogPlace } from "../catalog/scan-catalog.ts";
import { diskReader } from "../files/disk-reader.ts";
import type { StoredDraft } from "./draft-store.ts";

/** Folder of a draft that begins with nothing, as far from the catalog's root as every version. */
const NO_VERSION = "draft";

type Placed = Pick<StoredDraft, "kind" | "id" | "based_on">;

/** The version that a draft began with, if the catalog still has it. */
export function baseOf({ kind, id, based_on: version }: Placed, catalog: Catalog): CatalogEntry | undefined {
  return version === null ? undefined : catalog.findPublished(kind, id, version);
}

/**
 * Where the relative references of a draft start: at the document that it is based on, whose helper files it uses, or at
 * a version that does not exist yet.
 */
export function draftPlace(draft: Placed, catalog: Catalog): CatalogPlace {
  const base = baseOf(draft, catalog);
  const folder = base?.place.folder ?? join(catalog.root, `${draft.kind}s`, draft.id, NO_VERSION);
  const document = base?.uri.split("/").at(-1);
  return {
    kind: draft.kind,
    id: draft.id,
    version: null,
    folder,
    documents: [document === undefined ? `${draft.id}.cwl` : decodeURIComponent(document)],
    examples: base?.place.examples ?? [],
    tests: base?.place.tests ?? [],
    deprecated: false,
    isPinned: false,
  };
}

/** Path of the document below the catalog's root. */
export function draftPath(draft: Placed, catalog: Catalog): string {
  const { folder, documents } = draftPlace(draft, catalog);
  return relative(catalog.root, join(folder, documents[0] ?? ""));
}

/** A draft as the catalog would load it. It reads no other document than those of the catalog. */
export async function loadDraft(draft: StoredDraft, catalog: Catalog): Promise<CatalogEntry> {
  const place = draftPlace(draft, catalog);
  const uri = pathToFileURL(join(place.folder, place.documents[0] ?? "")).href;
  const root = `${pathToFileURL(catalog.root).href}/`;
  const read = async (asked: string) => {
    if (asked === uri) return draft.text;
    return new URL(asked).href.startsWith(root) ? diskReader.read(asked) : undefined;
  };
  const { ignoresContainers } = catalog;
  return loadCatalogEntry(place, { root: catalog.root, reader: { read }, ignoresContainers });
}
