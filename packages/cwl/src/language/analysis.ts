import type { Diagnostic } from "../diagnostic.ts";
import type { DocumentReader } from "../document/document-reader.ts";
import type { ParsedTexts } from "../document/gather/document-store.ts";
import { loadWithTrees, type DocumentTrees } from "../document/load-document.ts";
import { NO_MAIN } from "../document/process/read-document.ts";
import type { YamlNode } from "../document/yaml/yaml-node.ts";
import type { Process } from "../model/process.ts";

/** A document as an editor sees it: everything that can be known of it and of what it refers to. */
export interface Analysis {
  readonly uri: string;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The processes that the document describes: one, or those of its `$graph`. */
  readonly processes: readonly Process[];
  readonly nodeOf: (part: object) => YamlNode | undefined;
  /** The root of the document; undefined if it is not YAML. */
  readonly root: YamlNode | undefined;
  readonly namespaces: ReadonlyMap<string, string>;
}

export interface AnalysisOptions {
  /** Reads what is open in the editor as it is there, everything else from where it is. */
  readonly reader: DocumentReader;
  /** Kept between analyses, so that only changed texts are parsed. */
  readonly parsed: ParsedTexts;
}

/** Analyzes one document. A `$graph` without `#main` is a library: each of its processes is read. */
export async function analyze(uri: string, { reader, parsed }: AnalysisOptions): Promise<Analysis> {
  const text = (await reader.read(uri)) ?? "";
  const first = await loadWithTrees(uri, { reader, parsed });
  const { members } = first.document;
  const isLibrary = first.document.diagnostics.some(({ code }) => code === NO_MAIN);
  const all: DocumentTrees[] = isLibrary ? [] : [first];
  for (const id of members) {
    // The first load has read and checked what its main process runs; the others may be on their own.
    if (isLibrary || members.length > 1) all.push(await loadWithTrees(`${uri}#${id}`, { reader, parsed }));
  }
  const diagnostics = all.flatMap(({ document }) => document.diagnostics).filter(({ code }) => code !== NO_MAIN);
  const unique = new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic]));
  return {
    uri,
    text,
    diagnostics: [...unique.values()],
    processes: all.flatMap(({ document }) => document.process ?? []),
    nodeOf: (part) => all.map(({ nodes }) => nodes.get(part)).find((node) => node !== undefined),
    root: first.roots.get(uri),
    namespaces: first.document.namespaces,
  };
}
