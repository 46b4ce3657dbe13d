import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { ValidationIssue } from "@weft/shared/records/process-record.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogEntry } from "../catalog/catalog-entry.ts";
import { TEST_FILE, type CatalogPlace } from "../catalog/scan-catalog.ts";
import { diskReader } from "../files/disk-reader.ts";
import { textDigest } from "../files/hash-file.ts";
import { canonicalText } from "../values/canonical-text.ts";
import { deepenReferences } from "./edit-references.ts";
import type { DraftContents } from "./draft-contents.ts";
import type { StoredDraft } from "./draft-store.ts";

/** The folder of a draft without a base, at the same depth below the catalog's root as a version. */
const NO_VERSION = "draft";
/** The prefix of hidden folders with the changed files of drafts. */
export const DRAFT_FOLDER = ".draft-";

type Placed = Pick<StoredDraft, "kind" | "id" | "based_on" | "files">;

/** The version that a draft began with, if the catalog still has it. */
export function baseOf({ kind, id, based_on: version }: Placed, catalog: Catalog): CatalogEntry | undefined {
  return version === null ? undefined : catalog.findPublished(kind, id, version);
}

/** True if a draft has added, changed or removed files of its base. */
function hasChanges({ files }: Placed): boolean {
  return Object.keys(files).length > 0;
}

/**
 * The starting point of a draft's relative references: the document that it is based on, whose files it uses, or, with
 * changed files, a hidden folder next to it that `writeDraftFolder` fills before a run.
 */
export function draftPlace(draft: Placed, catalog: Catalog): CatalogPlace {
  const place = editedPlace(draft, catalog);
  if (!hasChanges(draft)) return place;
  const { kind, id, based_on, files } = draft;
  const digest = textDigest(canonicalText([based_on, files])).slice(-16);
  return {
    ...place,
    folder: join(catalog.root, `${kind}s`, id, `${DRAFT_FOLDER}${digest}`),
    examples: namesIn("examples", place.examples, files).filter((name) => /\.(ya?ml|json)$/.test(name)),
    tests: namesIn("tests", place.tests, files).filter((name) => TEST_FILE.test(name)),
  };
}

/** The place from which references are resolved while the draft is edited. */
function editedPlace(draft: Placed, catalog: Catalog): CatalogPlace {
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

function namesIn(folder: string, known: readonly string[], files: Placed["files"]): string[] {
  const names = new Set(known);
  for (const [path, change] of Object.entries(files)) {
    const [first, name = "", ...more] = path.split("/");
    if (first !== folder || more.length > 0) continue;
    if (change === null) names.delete(name);
    else names.add(name);
  }
  return [...names].sort();
}

/** Path of the document below the catalog's root, from which the editor follows references. */
export function draftPath(draft: Placed, catalog: Catalog): string {
  const { folder, documents } = editedPlace(draft, catalog);
  return relative(catalog.root, join(folder, documents[0] ?? ""));
}

/** The text for the folder of a version: an unversioned network's document is one level higher. */
export function publishedText({ text, ...draft }: Placed & Pick<StoredDraft, "text">, catalog: Catalog): string {
  return isDeepened(draft, catalog) ? deepenReferences(text) : text;
}

function isDeepened(draft: Placed, catalog: Catalog): boolean {
  const base = baseOf(draft, catalog);
  return base !== undefined && base.place.version === null;
}

/** The text of a draft, with references from the draft's place. */
export function placedText(draft: StoredDraft, catalog: Catalog): string {
  return hasChanges(draft) ? publishedText(draft, catalog) : draft.text;
}

type Contents = Pick<DraftContents, "get">;

/** Reads the files of the folder that `writeDraftFolder` fills, before it does; undefined for a draft that has none. */
export function draftFileReader(
  draft: StoredDraft,
  { catalog, contents }: { readonly catalog: Catalog; readonly contents: Contents },
): ((uri: string) => Promise<string | undefined>) | undefined {
  if (!hasChanges(draft)) return undefined;
  const { folder } = draftPlace(draft, catalog);
  const base = baseOf(draft, catalog)?.place.folder;
  const isInput = (path: string) => /^(?:tests|examples)\/[^/]+\.(?:ya?ml|json)$/.test(path);
  return async (uri) => {
    const path = relative(folder, fileURLToPath(uri));
    const change = Object.hasOwn(draft.files, path) ? draft.files[path] : undefined;
    if (change === null || (change === undefined && base === undefined)) return undefined;
    const text =
      change === undefined
        ? await diskReader.read(pathToUri(join(base ?? "", path)))
        : (await contents.get(change)).toString("utf8");
    return text !== undefined && isInput(path) && isDeepened(draft, catalog) ? deepenReferences(text) : text;
  };
}

/** Problems name files by the paths that the author sees, not by the hidden folder. */
export function withEditedNames(entry: CatalogEntry, draft: StoredDraft, catalog: Catalog): CatalogEntry {
  const hidden = `${relative(catalog.root, entry.place.folder)}/`;
  const shown = `${relative(catalog.root, editedPlace(draft, catalog).folder)}/`;
  const plain = (issue: ValidationIssue) => ({
    ...issue,
    file: issue.file.replace(hidden, shown),
    message: issue.message.replaceAll(hidden, shown),
  });
  const tests = entry.tests.map((test) => ({ ...test, issues: test.issues.map(plain) }));
  return { ...entry, issues: entry.issues.map(plain), tests };
}
