import assert from "node:assert/strict";
import { test } from "node:test";
import { loadExpressionTool } from "../command/testing/load-process.ts";
import { createEvaluator } from "../expression/evaluate.ts";
import { createQuickjsEngine } from "../expression/testing/quickjs-engine.ts";
import { createMemoryFiles } from "../files/testing/memory-files.ts";
import { effectiveRequirements } from "../model/effective-requirements.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import { runExpressionTool } from "./run-expression-tool.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";

const FILES = createMemoryFiles({ "/d/a.txt": "abc", "/d/f/x": "x" });
const A = { class: "File", location: "file:///d/a.txt", basename: "a.txt", nameroot: "a", nameext: ".txt", size: 3 };

async function run(outputs: string, expression: string): Promise<CwlObject> {
  const tool = await loadExpressionTool(
    `requirements: {InlineJavascriptRequirement: {}}\ninputs: {f: Any}\noutputs: ${outputs}\nexpression: ${JSON.stringify(expression)}`,
  );
  const requirements = effectiveRequirements([tool]);
  const evaluator = createEvaluator({ script: createQuickjsEngine(), requirements, limits: TEST_LIMITS });
  return runExpressionTool({ tool, requirements, inputs: { f: A }, files: FILES, evaluator });
}

const CASES: Readonly<Record<string, readonly [outputs: string, expression: string, expected: unknown]>> = {
  "a number": ["{n: int}", "$({n: 1 + 1})", { n: 2 }],
  "a missing field becomes null": ["{n: int, m: int?}", "${ return {n: 1, other: 2}; }", { n: 1, m: null }],
  "null for Any": ["{n: Any}", "$({n: null})", { n: null }],
  "a file passed on under another name": [
    "{f: File}",
    "${ inputs.f.basename = 'b.md'; return {f: inputs.f}; }",
    { f: { ...A, basename: "b.md", nameroot: "b", nameext: ".md" } },
  ],
  "a literal": [
    "{f: File}",
    "$({f: {class: 'File', basename: 'x', contents: 'hi'}})",
    { f: { class: "File", basename: "x", nameroot: "x", nameext: "", size: 2, contents: "hi" } },
  ],
  "a Directory": [
    "{d: Directory}",
    "$({d: {class: 'Directory', location: 'file:///d/f', listing: []}})",
    { d: { class: "Directory", location: "file:///d/f", basename: "f" } },
  ],
};
for (const [name, [outputs, expression, expected]] of Object.entries(CASES))
  test(name, async () => assert.deepEqual(await run(outputs, expression), expected));

const WRONG: readonly (readonly [name: string, outputs: string, expression: string, failure: object])[] = [
  ["a result that is not an object", "{n: int}", "$(1)", { code: "OUTPUT_INVALID", place: "expression" }],
  ["a wrong type", "{n: int}", "$({n: 'x'})", { code: "OUTPUT_INVALID", place: "outputs.n" }],
  ["nothing", "{n: int}", "$({})", { code: "MISSING_OUTPUT", place: "outputs.n" }],
  [
    "a missing file",
    "{f: File}",
    "$({f: {class: 'File', location: 'file:///nope'}})",
    { code: "OUTPUT_INVALID", place: "outputs.f" },
  ],
  ["a script that throws", "{n: int}", "$(nope)", { code: "EXPRESSION", place: "expression" }],
];
for (const [name, outputs, expression, failure] of WRONG)
  test(`refuses ${name}`, () => assert.rejects(run(outputs, expression), failure));
