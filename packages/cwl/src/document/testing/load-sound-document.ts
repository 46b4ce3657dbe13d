import assert from "node:assert/strict";
import type { CommandLineTool, Process, Workflow } from "../../model/process.ts";
import { loadDocument } from "../load-document.ts";
import { readerOfTexts, type Texts } from "./reader-of-texts.ts";

/** A table of cases: the text of a document, or of several, and the expected part of the model. */
export type SoundCases = Readonly<
  Record<
    string,
    readonly [files: Texts | string, pick: (process: Process) => unknown, expected: unknown, reference?: string]
  >
>;

/** Loads a document, one text or several; fails the test if there is any diagnostic. */
export async function loadSoundDocument(texts: Texts | string, reference = "a.cwl"): Promise<Process> {
  const files = typeof texts === "string" ? { "a.cwl": texts } : texts;
  const { process, diagnostics } = await loadDocument(`file:///w/${reference}`, { reader: readerOfTexts(files) });
  assert.deepEqual(diagnostics, []);
  return process ?? assert.fail("no process");
}

/** Fails the test for a process of another class. */
export const asTool = (process: Process): CommandLineTool =>
  process.class === "CommandLineTool" ? process : assert.fail(process.class);

/** Fails the test for a process of another class. */
export const asWorkflow = (process: Process): Workflow =>
  process.class === "Workflow" ? process : assert.fail(process.class);

/** A model without prototypes and positions, to compare with literals. */
export const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      key === "position" && typeof inner === "object" ? undefined : inner,
    ),
  );

/** The text of a tool with these fields. */
export const toolText = (body: string, version = "v1.2") => `cwlVersion: ${version}
class: CommandLineTool
${body}`;
