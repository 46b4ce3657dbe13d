import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fixesFor } from "./fixes.ts";
import { afterEdits, analysisOf, edited } from "./testing/edited-text.ts";

const HEAD = "cwlVersion: v1.2\nclass: CommandLineTool\n";
const REST = "inputs: {reads: File, many: 'File[]', n: int}\noutputs: []\n";
const SCRIPTS = "requirements: {InlineJavascriptRequirement: {}}\n";

/** A document with a mistake, and the document after the first fix. */
const CASES: Readonly<Record<string, readonly [text: string, fixed: string]>> = {
  "an unknown field": [`${HEAD}baseComand: x\n${REST}`, `${HEAD}baseCommand: x\n${REST}`],
  "an unknown input": [`${HEAD}${REST}stdout: $(inputs.redas.path)\n`, `${HEAD}${REST}stdout: $(inputs.reads.path)\n`],
  "an unknown type": [`${HEAD}inputs: {a: Fiel}\noutputs: []\n`, `${HEAD}inputs: {a: File}\noutputs: []\n`],
  "JavaScript that is not in effect": [
    `${HEAD}${REST}stdout: $(inputs.n + 1)\n`,
    `${HEAD}requirements:\n  InlineJavascriptRequirement: {}\n${REST}stdout: $(inputs.n + 1)\n`,
  ],
  "requirements that are there already": [
    `${HEAD}requirements:\n  WorkReuse: {enableReuse: false}\n${REST}stdout: $(1)\n`,
    `${HEAD}requirements:\n  InlineJavascriptRequirement: {}\n  WorkReuse: {enableReuse: false}\n${REST}stdout: $(1)\n`,
  ],
  "a list taken for a File": [
    `${HEAD}${REST}stdout: $(inputs.many.basename)\n`,
    `${HEAD}${REST}stdout: $(inputs.many[0].basename)\n`,
  ],
  "a number taken for an object": [`${HEAD}${REST}stdout: $(inputs.n.value)\n`, `${HEAD}${REST}stdout: $(inputs.n)\n`],
  "an expression that is not closed": [`${HEAD}${REST}stdout: a$(b\n`, `${HEAD}${REST}stdout: a\\$(b\n`],
  "no return": [
    `${HEAD}${SCRIPTS}${REST}stdout: "\${ inputs.n }"\n`,
    `${HEAD}${SCRIPTS}${REST}stdout: "\${ return inputs.n }"\n`,
  ],
  "a semicolon": [
    `${HEAD}${SCRIPTS}${REST}stdout: $(inputs.n + 1;)\n`,
    `${HEAD}${SCRIPTS}${REST}stdout: $(inputs.n + 1)\n`,
  ],
  "a statement": [
    `${HEAD}${SCRIPTS}${REST}stdout: $(return inputs.n)\n`,
    `${HEAD}${SCRIPTS}${REST}stdout: \${return inputs.n}\n`,
  ],
  "contents that are not loaded": [
    `${HEAD}${REST}stdout: $(inputs.reads.contents)\n`,
    `${HEAD}${REST.replace("reads: File", "reads: {type: File, loadContents: true}")}stdout: $(inputs.reads.contents)\n`,
  ],
  "a missing version": [`class: CommandLineTool\n${REST}`, `cwlVersion: v1.2\nclass: CommandLineTool\n${REST}`],
  "a truth value of YAML 1.1": [
    `${HEAD}inputs: {a: {type: File, streamable: yes}}\noutputs: []\n`,
    `${HEAD}inputs: {a: {type: File, streamable: true}}\noutputs: []\n`,
  ],
  "a text that is a number": [`${HEAD}baseCommand: 7\n${REST}`, `${HEAD}baseCommand: "7"\n${REST}`],
  "an undeclared prefix": [
    `${HEAD}${REST}s:author: me\n`,
    `${HEAD}${REST}s:author: me\n$namespaces:\n  s: https://schema.org/\n`,
  ],
  "a field of a later version": [
    `${HEAD.replace("v1.2", "v1.0")}inputs: {a: {type: File, loadContents: true}}\noutputs: []\n`,
    `${HEAD.replace("v1.2", "v1.1")}inputs: {a: {type: File, loadContents: true}}\noutputs: []\n`,
  ],
};

describe("the first quick fix of a hint", () => {
  for (const [name, [text, fixed]] of Object.entries(CASES))
    test(name, async () => {
      const texts = edited({ "a.cwl": `‸${text}` });
      const analysis = await analysisOf(texts);
      const found = analysis.diagnostics.flatMap((diagnostic) => fixesFor(diagnostic, analysis));
      assert.deepEqual(
        afterEdits(texts.texts, found[0]?.edits ?? [])["a.cwl"],
        fixed,
        JSON.stringify(analysis.diagnostics),
      );
    });
});
