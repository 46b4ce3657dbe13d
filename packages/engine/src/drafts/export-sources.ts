import { dirname, join } from "node:path";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { ArchiveEntry } from "../archive/zip-archive.ts";
import type { CatalogEntry } from "../catalog/catalog-entry.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { runLater } from "../files/beneath/steps.ts";
import type { DraftContents } from "./draft-contents.ts";
import { listDraftFiles, listVersionFiles, reachOf } from "./draft-files.ts";
import { plannedPath } from "./draft-peers.ts";
import { baseOf, draftPlace, publishedText } from "./draft-place.ts";
import type { StoredDraft } from "./draft-store.ts";

const MAX_FILES = 5000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The files of a version and of everything that it runs, as they are in the catalog: documents with comments, helper
 * files, tests and examples. Paths are relative to the catalog folder, so that references keep their meaning.
 */
export async function exportSources(entry: CatalogEntry, catalog: Catalog): Promise<readonly ArchiveEntry[]> {
  const found = new Map<string, ArchiveEntry>();
  await addSources(found, entry, catalog);
  return [...found.values()];
}

/** The sources of a draft, at the path where it would be published. */
export async function exportDraft(
  { entry, draft, version }: { readonly entry: CatalogEntry; readonly draft: StoredDraft; readonly version: string },
  { catalog, contents }: { readonly catalog: Catalog; readonly contents: Pick<DraftContents, "get"> },
): Promise<readonly ArchiveEntry[]> {
  const found = new Map<string, ArchiveEntry>();
  const document = plannedPath("", { ...draft, version });
  found.set(document, { kind: "text", name: document, text: publishedText(draft, catalog) });
  const base = baseOf(draft, catalog)?.place.folder;
  const reach = reachOf(catalog);
  for (const { path, state } of (await listDraftFiles(draft, catalog)).files) {
    const name = join(dirname(document), path);
    const change = draft.files[path];
    if (change != null) {
      const { isExecutable = false } = change;
      found.set(name, { kind: "bytes", name, bytes: await contents.get(change), isExecutable });
    } else if (state === "unchanged" && base !== undefined) found.set(name, fileEntry(name, join(base, path), reach));
  }
  const own = draftPlace(draft, catalog).folder;
  const others = entry.sources.filter(({ file }) => !join(catalog.root, file).startsWith(`${own}/`));
  await addSources(found, { ...entry, sources: others }, catalog);
  return [...found.values()];
}

async function addSources(
  found: Map<string, ArchiveEntry>,
  { sources }: Pick<CatalogEntry, "sources">,
  catalog: Catalog,
): Promise<void> {
  const reach = reachOf(catalog);
  let bytes = 0;
  for (const folder of new Set(sources.map(({ file }) => dirname(file)))) {
    // A file imported from outside of the catalog folders has no further files.
    if (!/^(?:tools|networks)\/[^/]+/.test(folder)) continue;
    for (const [path, file] of await listVersionFiles(join(catalog.root, folder), reach)) {
      bytes += file.bytes;
      if (bytes > MAX_BYTES || found.size >= MAX_FILES)
        throw new Refusal("body-too-large", `An export may have ${MAX_FILES} files, 64 MiB in total.`);
      const name = join(folder, path);
      found.set(name, fileEntry(name, join(catalog.root, name), reach));
    }
  }
  for (const { file: name, text } of sources) found.set(name, { kind: "text", name, text });
}

function fileEntry(name: string, path: string, reach: ReturnType<typeof reachOf>): ArchiveEntry {
  return { kind: "file", name, open: () => runLater(reach.openFile(path)) };
}
