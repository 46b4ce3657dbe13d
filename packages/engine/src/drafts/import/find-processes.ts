import { basename, dirname, posix } from "node:path";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import type { LoadedDocument } from "@weft/cwl/document/load-document.ts";
import { packDocument } from "@weft/cwl/document/pack-document.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { GroupNote } from "@weft/shared/records/draft-group-record.ts";
import type { ProcessKind } from "@weft/shared/records/draft-record.ts";
import { giveWay } from "../../async/give-way.ts";
import { catalogId } from "../../catalog/catalog-name.ts";
import { readerOf, uriOfFile } from "./imported-files.ts";
import type { ImportedFiles } from "./imported-files.ts";

/** A tool or network of an import. */
export interface FoundProcess {
  /** Path of its document. */
  readonly path: string;
  /** Its ID in a `$graph`; undefined for a document of its own. */
  readonly member: string | undefined;
  readonly loaded: LoadedDocument;
  readonly process: Process;
  readonly kind: ProcessKind;
  /** The ID that its name suggests. */
  readonly wantedId: string;
  /** Packed canonical JSON. */
  readonly packed: string;
}

export interface FoundProcesses {
  readonly found: readonly FoundProcess[];
  readonly notes: readonly GroupNote[];
}

/** Finds the tools and networks in files, also in packed documents. Problems of a document do not keep others out. */
export async function findProcesses(files: ImportedFiles): Promise<FoundProcesses> {
  const found: FoundProcess[] = [];
  const notes: GroupNote[] = [];
  const options = { reader: readerOf(files), parsed: new Map() };
  for (const path of [...files.keys()].filter((name) => isDocument(name, files)).sort()) {
    await giveWay();
    const loaded = await loadDocument(uriOfFile(path), options);
    const members = loaded.members.length === 0 ? [undefined] : loaded.members;
    const before = found.length;
    for (const member of members) {
      const one = member === undefined ? loaded : await loadDocument(`${uriOfFile(path)}#${member}`, options);
      if (one.process !== undefined) found.push(describe(path, member, { ...one, process: one.process }));
    }
    if (members[0] !== undefined) notes.push(splitNote(path, found.length - before, members.length));
    else if (found.length === before) notes.push(unreadNote(path, loaded));
  }
  return { found, notes };
}

function isDocument(path: string, files: ImportedFiles): boolean {
  if (path.endsWith(".cwl")) return true;
  if (!/\.(?:ya?ml|json)$/.test(path)) return false;
  const text = files.get(path)?.toString("utf8") ?? "";
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
    wantedId: idOf(path, member),
    packed: JSON.stringify(packDocument(loaded)),
  };
}

/** Names that say nothing about what a document is. */
const PLAIN = /^(?:main|workflow|tool|index|packed|document|primary|descriptor|draft)$/;

function idOf(path: string, member: string | undefined): string {
  const stem = basename(path).replace(/\.(?:cwl|ya?ml|json)$/, "");
  const folder = basename(dirname(posix.join("/", path)));
  const names = [member?.replace(/\.cwl$/, ""), stem, folder].flatMap((name) => catalogId(name ?? "") ?? []);
  return names.find((name) => !PLAIN.test(name)) ?? names[0] ?? "imported";
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
