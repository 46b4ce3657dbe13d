import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import {
  MAX_DRAFT_CHARACTERS,
  MAX_DRAFT_FILES,
  MAX_DRAFT_FILES_BYTES,
  type DraftFile,
  type DraftFileChange,
  type DraftFileList,
  type DraftFileText,
} from "@weft/shared/records/draft-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { PIN_FILE } from "../catalog/read-pin.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { Reach } from "../files/beneath/reach.ts";
import { runLater } from "../files/beneath/steps.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import type { DraftContents, FileChanges, StoredContent } from "./draft-contents.ts";
import { folderConflict, isMark, pathProblem } from "./draft-file-path.ts";
import { baseOf } from "./draft-place.ts";
import type { StoredDraft } from "./draft-store.ts";

type Placed = Parameters<typeof baseOf>[0];

interface FilePlaces {
  readonly catalog: Catalog;
  readonly contents: DraftContents;
}

/** The files of a draft by path: those of the version that it is based on, with its own changes. */
export async function listDraftFiles(draft: Placed, catalog: Catalog): Promise<Omit<DraftFileList, "revision">> {
  const base = await baseFiles(draft, catalog);
  const files = new Map<string, DraftFile>();
  for (const [path, { bytes }] of base) files.set(path, { path, bytes, state: "unchanged" });
  for (const [path, change] of Object.entries(draft.files))
    if (change === null) files.delete(path);
    else files.set(path, { path, bytes: change.bytes, state: base.has(path) ? "changed" : "new" });
  const removed = [...base.keys()].filter((path) => !files.has(path)).sort();
  return { files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), removed };
}

/** Refuses `file-not-found`. */
export async function readDraftFile(draft: StoredDraft, path: string, places: FilePlaces): Promise<DraftFileText> {
  const content = await contentOf(draft, path, places);
  const isChanged = Object.hasOwn(draft.files, path);
  const base = isChanged && (await baseFiles(draft, places.catalog)).has(path);
  const before = isChanged ? (base ? await contentOf({ ...draft, files: {} }, path, places) : undefined) : content;
  return { path, text: textOf(content), base_text: before === undefined ? null : textOf(before) };
}

function textOf(content: Buffer): string | null {
  const isText = content.length <= MAX_DRAFT_CHARACTERS && isUtf8(content) && !content.includes(0);
  return isText ? content.toString("utf8") : null;
}

/** Adds changes to those of a draft. Refuses bad paths, missing files, and more than a draft may hold. */
export async function changeFiles(
  draft: StoredDraft,
  changes: readonly DraftFileChange[],
  places: FilePlaces,
): Promise<FileChanges> {
  const base = await baseFiles(draft, places.catalog);
  const files: Record<string, StoredContent | null> = { ...draft.files };
  const has = (path: string) => (Object.hasOwn(files, path) ? files[path] !== null : base.has(path));
  const isExecutable = (path: string) => files[path]?.isExecutable ?? base.get(path)?.isExecutable ?? false;
  const remove = (path: string, pointer: string) => {
    if (!has(path)) throw new Refusal("file-not-found", `The draft has no file "${path}" (${pointer}).`);
    if (base.has(path)) files[path] = null;
    else delete files[path];
  };
  for (const [index, change] of changes.entries()) {
    const pointer = `/changes/${index}`;
    const others = () => [...new Set([...base.keys(), ...Object.keys(files)])].filter(has);
    if (change.do === "delete") remove(change.path, pointer);
    else if (change.do === "write") {
      requirePath(change.path, others(), `${pointer}/path`);
      files[change.path] = await places.contents.put(Buffer.from(change.text), isExecutable(change.path));
    } else {
      if (has(change.to)) throw new Refusal("conflict", `The draft already has a file "${change.to}" (${pointer}/to).`);
      const content = await contentOf({ ...draft, files }, change.path, places);
      const stored = await places.contents.put(content, isExecutable(change.path));
      remove(change.path, `${pointer}/path`);
      requirePath(change.to, others(), `${pointer}/to`);
      files[change.to] = stored;
    }
  }
  requireCapacity(base, files);
  return files;
}

function requirePath(path: string, others: readonly string[], pointer: string): void {
  const conflict = folderConflict(path, others);
  const problem = pathProblem(path) ?? (conflict === undefined ? undefined : `cannot exist next to "${conflict}"`);
  if (problem === undefined) return;
  const detail = `The path ${JSON.stringify(path)} ${problem}.`;
  throw new Refusal("invalid-body", detail, { errors: [{ pointer, code: "file-path", detail }] });
}

function requireCapacity(base: VersionFiles, files: FileChanges): void {
  const found = new Map<string, { readonly bytes: number }>(base);
  for (const [path, change] of Object.entries(files))
    if (change === null) found.delete(path);
    else found.set(path, change);
  const bytes = [...found.values()].reduce((sum, file) => sum + file.bytes, 0);
  if (found.size > MAX_DRAFT_FILES || bytes > MAX_DRAFT_FILES_BYTES)
    throw new Refusal("body-too-large", `A draft can have ${MAX_DRAFT_FILES} files, 64 MiB in total.`);
}

async function contentOf(draft: StoredDraft, path: string, { catalog, contents }: FilePlaces): Promise<Buffer> {
  const change = Object.hasOwn(draft.files, path) ? draft.files[path] : undefined;
  if (change != null) return contents.get(change);
  const base = baseOf(draft, catalog);
  const known = change === null || base === undefined ? undefined : (await baseFiles(draft, catalog)).get(path);
  if (base === undefined || known === undefined)
    throw new Refusal("file-not-found", `The draft has no file "${path}".`);
  using file = await runLater(reachOf(catalog).openFile(join(base.place.folder, path)));
  if (file.stats.size > MAX_DRAFT_FILES_BYTES)
    throw new Refusal("body-too-large", `"${path}" is too large for a draft.`);
  return file.readAll();
}

/** Files of a version, by path. */
type VersionFiles = Map<string, Omit<StoredContent, "sha256">>;

/** The files next to a published document, without other versions. */
async function baseFiles(draft: Placed, catalog: Catalog): Promise<VersionFiles> {
  const base = baseOf(draft, catalog);
  const found: VersionFiles = new Map();
  if (base !== undefined) await listInto(found, { folder: base.place.folder, prefix: "", reach: reachOf(catalog) });
  return found;
}

/** All files of a version, its documents included, without other versions. */
export async function listVersionFiles(folder: string, reach: Reach): Promise<VersionFiles> {
  const found: VersionFiles = new Map();
  await listInto(found, { folder, prefix: "", reach, withDocuments: true });
  return found;
}

interface Listing {
  readonly withDocuments?: boolean;
  readonly folder: string;
  readonly prefix: string;
  readonly reach: Reach;
}

async function listInto(found: VersionFiles, listing: Listing): Promise<void> {
  const { folder, prefix, reach, withDocuments = false } = listing;
  const entries = (await runLater(reach.list(folder, { keepsUnreachable: true })).catch(undefinedIfMissing)) ?? [];
  if (prefix !== "" && entries.some(({ name }) => name === PIN_FILE)) return;
  for (const { name, stats } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.size > MAX_DRAFT_FILES) return;
    const path = prefix + name;
    if (name.startsWith(".") || (prefix === "" && (isMark(name) || (name.endsWith(".cwl") && !withDocuments))))
      continue;
    if (stats?.isDirectory()) await listInto(found, { folder: join(folder, name), prefix: `${path}/`, reach });
    else if (stats?.isFile()) found.set(path, { bytes: stats.size, isExecutable: (stats.mode & 0o100) !== 0 });
  }
}

export function reachOf({ root }: Catalog): Reach {
  return new Reach({ regions: [{ folder: root }] });
}
