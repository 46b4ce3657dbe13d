import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import type { ParsedTexts } from "@weft/cwl/document/gather/document-store.ts";
import { loadWithTrees } from "@weft/cwl/document/load-document.ts";
import { NO_MAIN } from "@weft/cwl/document/process/read-document.ts";
import type { YamlNode } from "@weft/cwl/document/yaml/yaml-node.ts";
import type { Process } from "@weft/cwl/model/process.ts";

/** The result of analyzing a document for an editor, including the documents that it refers to. */
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
  /** Reads open documents from the editor, and everything else from its location. */
  readonly reader: DocumentReader;
  /** Kept between analyses, so that only changed texts are parsed. */
  readonly parsed: ParsedTexts;
}

/** Analyzes one document with all processes of its `$graph`, even those that no other process uses. */
export async function analyze(uri: string, { reader, parsed }: AnalysisOptions): Promise<Analysis> {
  const text = (await reader.read(uri)) ?? "";
  const { document, nodes, roots, memberProcesses } = await loadWithTrees(uri, { reader, parsed, checksMembers: true });
  return {
    uri,
    text,
    diagnostics: document.diagnostics.filter(({ code }) => code !== NO_MAIN),
    processes: [
      ...new Set([...(document.process === undefined ? [] : [document.process]), ...memberProcesses.values()]),
    ],
    nodeOf: (part) => nodes.get(part),
    root: roots.get(uri),
    namespaces: document.namespaces,
  };
}

/** Some processes and all that their steps run, at any depth, each once. */
export function allProcesses(processes: readonly Process[]): readonly Process[] {
  const nested = processes.flatMap((process) =>
    process.class === "Workflow" ? allProcesses(process.steps.map(({ run }) => run)) : [],
  );
  return [...new Set([...processes, ...nested])];
}
