import assert from "node:assert/strict";
import { loadDocument } from "../load-document.ts";
import { readerOfTexts, type Texts } from "./reader-of-texts.ts";

/** Documents, and the errors and warnings that loading one must report: `file:line:column code: message [hint]`. */
export type ReportCases = Readonly<
  Record<string, readonly [files: Texts, expected: string | readonly string[], reference?: string]>
>;

/** The diagnostics of documents, in the form that a case expects. */
export async function reportedProblems(files: Texts, reference = "a.cwl") {
  const { diagnostics } = await loadDocument(`file:///w/${reference}`, { reader: readerOfTexts(files) });
  return diagnostics.map(({ file, line, column, severity, code, message, hint }) => {
    const kind = severity === "error" ? code : `${severity} ${code}`;
    return `${short(file)}:${line}:${column} ${kind}: ${short(message)}${hint === undefined ? "" : ` [${hint}]`}`;
  });
}

/** Checks the problems of `a.cwl`; the expected ones are without the name of the file. */
export async function expectProblems(files: Texts, expected: string | readonly string[]): Promise<void> {
  const problems = [expected].flat().map((problem) => `a.cwl:${problem}`);
  assert.deepEqual(await reportedProblems(files), problems);
}

const short = (text: string) => text.replaceAll("file:///w/", "");

/** A valid tool without diagnostics. */
export const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: echo
inputs:
  x: {type: string}
outputs:
  o: stdout
`;

/** A valid workflow without diagnostics, whose step runs `TOOL` as `t.cwl`. */
export const WORKFLOW = `cwlVersion: v1.2
class: Workflow
inputs:
  x: string
outputs:
  o: {type: File, outputSource: one/o}
steps:
  one:
    run: t.cwl
    in:
      x: x
    out: [o]
`;

/** Replaces a text, which must occur, with another. */
export const change = (text: string, from: string, to: string): string => {
  assert.ok(text.includes(from));
  return text.replace(from, to);
};

/** `TOOL`, and `WORKFLOW` with a tool, each with one change. */
export const tool = (from: string, to: string) => ({ "a.cwl": change(TOOL, from, to) });
export const workflow = (from: string, to: string, t = TOOL) => ({ "a.cwl": change(WORKFLOW, from, to), "t.cwl": t });

/** `TOOL` with type definitions. */
export const withTypes = (types: string) =>
  tool("outputs:", `requirements:\n  SchemaDefRequirement:\n    types: ${types}\noutputs:`);
