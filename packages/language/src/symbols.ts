import { typeText } from "@weft/cwl/model/type-text.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { Analysis } from "./analysis.ts";
import { occurrencesIn } from "./occurrences.ts";
import type { TextRange } from "./text-range.ts";

export interface DocumentSymbol {
  readonly name: string;
  readonly kind: "process" | "input" | "output" | "step";
  readonly detail: string;
  readonly range: TextRange;
  readonly children: readonly DocumentSymbol[];
}

/** The processes of a document with their inputs, steps and outputs, in that order. */
export function symbolsIn(analysis: Analysis): readonly DocumentSymbol[] {
  const ranges = new Map(
    occurrencesIn(analysis).flatMap(({ symbol, range, isDefinition }) =>
      isDefinition ? [[symbol, range] as const] : [],
    ),
  );
  const own = analysis.processes.filter(({ position }) => position.file === analysis.uri);
  return [...new Map(own.map((process) => [process.id, process])).values()].map((process) =>
    processSymbol(process, ranges),
  );
}

function processSymbol(process: Process, ranges: ReadonlyMap<string, TextRange>): DocumentSymbol {
  const { file: uri, line, column } = process.position;
  const start = { line: line - 1, character: column - 1 };
  const child = (kind: "input" | "output" | "step", name: string, detail: string): readonly DocumentSymbol[] => {
    const range = ranges.get(`${process.id} ${kind} ${name}`);
    return range === undefined ? [] : [{ name, kind, detail, range, children: [] }];
  };
  return {
    name: process.label ?? process.name,
    kind: "process",
    detail: process.class,
    range: { uri, start, end: start },
    children: [
      ...process.inputs.flatMap(({ id, type }) => child("input", id, typeText(type))),
      ...(process.class === "Workflow" ? process.steps.flatMap(({ id, run }) => child("step", id, run.name)) : []),
      ...process.outputs.flatMap(({ id, type }) => child("output", id, typeText(type))),
    ],
  };
}
