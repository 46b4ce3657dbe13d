import { loadWithTrees, type LoadedDocument } from "@weft/cwl/document/load-document.ts";
import { packDocument } from "@weft/cwl/document/pack-document.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { GroupNote } from "@weft/shared/records/draft-group-record.ts";
import { MAX_DRAFTS, type ProcessKind } from "@weft/shared/records/draft-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { catalogId } from "../../catalog/catalog-name.ts";
import { readerOf, uriOfFile, type ImportedFiles } from "./imported-files.ts";

/** A tool or network of an import. */
export interface FoundProcess {
  /** Path of its document. */
  readonly path: string;
  /** The process's ID in a `$graph`; undefined for a document of its own. */
  readonly member: string | undefined;
  readonly loaded: LoadedDocument;
  readonly process: Process;
  readonly kind: ProcessKind;
  /** The ID that its name suggests. */
  readonly wantedId: string;
  /** Packed canonical JSON. */
  readonly packed: () => string;
}

/** A document that has no process. */
export interface UnreadDocument {
  readonly path: string;
  /** The file is YAML or JSON, and can be a part of a document that imports it. */
  readonly isTree: boolean;
  readonly note: GroupNote;
}

export interface FoundProcesses {
  readonly found: readonly FoundProcess[];
  readonly unread: readonly UnreadDocument[];
  readonly notes: readonly GroupNote[];
}

/**
 * Finds the tools and networks in files, including packed documents; loads each document once. A problem in a document
 * does not exclude others. If there are more processes than there can be drafts, refuses before it reads the rest.
 */
export async function findProcesses(files: ImportedFiles): Promise<FoundProcesses> {
  const found: FoundProcess[] = [];
  const unread: UnreadDocument[] = [];
  const notes: GroupNote[] = [];
  const options = { reader: readerOf(files), parsed: new Map() };
  for (const path of [...files.keys()].filter((name) => isDocument(name, files)).sort()) {
    const { document, memberProcesses, roots } = await loadWithTrees(uriOfFile(path), options);
    const { members, process } = document;
    if (members.length > 0) notes.push(splitNote(path, memberProcesses.size, members.length));
    else if (process === undefined)
      unread.push({ path, isTree: roots.has(uriOfFile(path)), note: unreadNote(path, document) });
    const own = members.length > 0 || process === undefined ? [...memberProcesses] : [[undefined, process] as const];
    if (found.length + own.length > MAX_DRAFTS)
      throw new Refusal("body-too-large", `An import can have ${MAX_DRAFTS} tools and networks, and this has more.`);
    for (const [member, one] of own) found.push(describe(path, member, { ...document, process: one }));
  }
  return { found: withDistinctIds(found), unread, notes };
}

function isDocument(path: string, files: ImportedFiles): boolean {
  if (path.endsWith(".cwl")) return true;
  if (!/\.(?:ya?ml|json)$/.test(path)) return false;
  const text = files.get(path)?.content.toString("utf8") ?? "";
  return /^\s*["']?cwlVersion["']?\s*:|[{,]\s*"cwlVersion"\s*:/m.test(text) && /\bclass\b/.test(text);
}

function describe(
  path: string,
  member: string | undefined,
  loaded: LoadedDocument & { readonly process: Process },
): FoundProcess {
  const { process } = loaded;
  return {
    ...{ path, member, loaded, process },
    kind: process.class === "Workflow" ? "network" : "tool",
    wantedId: idOf({ path, member }, 0),
    packed: () => JSON.stringify(packDocument(loaded)),
  };
}

/** Names that do not describe a document. */
const PLAIN = /^(?:main|workflow|tool|index|packed|document|primary|descriptor|draft)$/;

/** The name of a member, file or enclosing folder, preceded by the names of `folders` more folders. */
function idOf({ path, member }: Pick<FoundProcess, "path" | "member">, folders: number): string {
  const inside = (member ?? "").replace(/\.cwl$/, "").split(/[/:]/);
  const names = [...path.replace(/\.(?:cwl|ya?ml|json)$/, "").split("/"), ...inside].flatMap(
    (name) => catalogId(name) ?? [],
  );
  const chosen = names.findLastIndex((name) => !PLAIN.test(name));
  const last = chosen === -1 ? names.length - 1 : chosen;
  return catalogId(names.slice(Math.max(0, last - folders), last + 1).join("-")) ?? "imported";
}

const MAX_FOLDERS = 12;

/** Folders distinguish documents of one name: `align/pipeline.cwl` and `sort/pipeline.cwl`. */
function withDistinctIds(found: readonly FoundProcess[]): readonly FoundProcess[] {
  const distinct = new Map<FoundProcess, string>();
  for (const same of Map.groupBy(found, ({ kind, wantedId }) => `${kind} ${wantedId}`).values()) {
    let ids = same.map(({ wantedId }) => wantedId);
    for (let folders = 1; folders <= MAX_FOLDERS && new Set(ids).size < same.length; folders++)
      ids = same.map((one) => idOf(one, folders));
    for (const [index, one] of same.entries()) distinct.set(one, ids[index] ?? one.wantedId);
  }
  return found.map((one) => ({ ...one, wantedId: distinct.get(one) ?? one.wantedId }));
}

function splitNote(path: string, count: number, members: number): GroupNote {
  const left = members - count;
  const text = `is a packed document, split into ${count} tools and networks${left === 0 ? "" : `; ${left} of its members cannot be read`}. Its comments are lost`;
  return { level: left === 0 ? "info" : "warning", subject: path, text };
}

function unreadNote(path: string, { diagnostics }: LoadedDocument): GroupNote {
  const first = diagnostics.find(({ severity }) => severity === "error") ?? diagnostics[0];
  const why = first === undefined ? "" : `: ${first.message} (line ${first.line}, column ${first.column})`;
  return { level: "error", subject: path, text: `cannot be read as a tool or network${why}`.slice(0, 2000) };
}
