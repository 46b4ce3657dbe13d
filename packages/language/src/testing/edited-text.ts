import assert from "node:assert/strict";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import { memoryDocumentReader } from "@weft/cwl/document/memory-document-reader.ts";
import { analyze, type Analysis } from "../analysis.ts";
import { offsetAt, type EditorPosition, type TextEdit } from "../text-range.ts";

/** Documents by file name; `|` in one of them is the cursor. */
export interface EditedTexts {
  readonly reader: DocumentReader;
  readonly uri: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly position: EditorPosition;
}

const FOLDER = "file:///w/";

export function edited(files: Readonly<Record<string, string>>): EditedTexts {
  const [name, marked] = Object.entries(files).find(([, text]) => text.includes("‸")) ?? assert.fail("no cursor");
  const before = marked.slice(0, marked.indexOf("‸")).split("\n");
  const texts = new Map(Object.entries(files).map(([file, text]) => [FOLDER + file, text.replace("‸", "")]));
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  return { reader: memoryDocumentReader(Object.fromEntries(texts)), uri: FOLDER + name, texts, position };
}

export function analysisOf({ reader, uri }: Pick<EditedTexts, "reader" | "uri">): Promise<Analysis> {
  return analyze(uri, { reader, parsed: new Map() });
}

/** The texts after edits, by file name. */
export function afterEdits(texts: ReadonlyMap<string, string>, edits: readonly TextEdit[]): Record<string, string> {
  const changed = new Map(texts);
  const ordered = edits.toSorted(
    ({ range: { start: a } }, { range: { start: b } }) => b.line - a.line || b.character - a.character,
  );
  for (const { range, newText } of ordered) {
    const text = changed.get(range.uri) ?? assert.fail(range.uri);
    const [start, end] = [offsetAt(text, range.start), offsetAt(text, range.end)];
    changed.set(range.uri, text.slice(0, start) + newText + text.slice(end));
  }
  return Object.fromEntries([...changed].map(([uri, text]) => [uri.slice(FOLDER.length), text]));
}

export const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: sort
requirements: {InlineJavascriptRequirement: {}}
inputs:
  reads: {type: File, doc: "The reads to sort.", inputBinding: {position: 1}}
  level: {type: int, default: 3}
outputs:
  sorted: {type: File, outputBinding: {glob: "$(inputs.reads.nameroot).txt"}}
arguments: ["\${ return inputs.level + inputs['level']; }"]
`;

export const NETWORK = `cwlVersion: v1.2
class: Workflow
requirements: {StepInputExpressionRequirement: {}, ScatterFeatureRequirement: {}}
inputs:
  samples: File[]
  depth: int
outputs:
  all: {type: "File[]", outputSource: order/sorted}
steps:
  order:
    run: sort.cwl
    scatter: reads
    in:
      reads: samples
      level: {source: depth, valueFrom: $(inputs.level)}
    out: [sorted]
`;
