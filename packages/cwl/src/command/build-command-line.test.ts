import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { wholeNumber } from "@weft/shared/json/exact-json.ts";
import { createEvaluator } from "../expression/evaluate.ts";
import { createQuickjsEngine } from "../expression/testing/quickjs-engine.ts";
import { effectiveRequirements } from "../model/effective-requirements.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import { neverGiveWay } from "../give-way.ts";
import { buildCommandLine } from "./build-command-line.ts";
import { loadTool } from "./testing/load-process.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";

const script = createQuickjsEngine();
const FILE = { class: "File", path: "/in/a b.txt", basename: "a b.txt" } as const;

async function argv(yaml: string, inputs: CwlObject): Promise<readonly string[]> {
  const tool = await loadTool(`requirements: {InlineJavascriptRequirement: {}}\noutputs: []\n${yaml}`);
  const requirements = effectiveRequirements([tool]);
  const evaluator = createEvaluator({ script, requirements, limits: TEST_LIMITS });
  const context = { inputs, runtime: { outdir: "/out", cores: 3 } };
  return buildCommandLine({
    tool,
    inputs,
    shell: yaml.includes("shellQuote"),
    evaluator,
    context,
    giveWay: neverGiveWay,
  });
}

const bound = (type: string, binding: string) =>
  `baseCommand: x\ninputs:\n  v: {type: ${type}, inputBinding: ${binding}}`;

const CASES: Readonly<Record<string, readonly [yaml: string, inputs: CwlObject, expected: readonly string[]]>> = {
  "a string": [bound("string", "{prefix: -s}"), { v: "a b" }, ["x", "-s", "a b"]],
  "a string that is joined": [bound("string", "{prefix: --s=, separate: false}"), { v: "a" }, ["x", "--s=a"]],
  "an empty string": [bound("string", "{}"), { v: "" }, ["x", ""]],
  "numbers without exponents": [
    bound("'double[]'", "{itemSeparator: ' '}"),
    { v: [0, -0.5, 1.23e-5, -2.5e-9, 1.23e5, 1e21, Number.MAX_SAFE_INTEGER] },
    ["x", "0 -0.5 0.0000123 -0.0000000025 123000 1000000000000000000000 9007199254740991"],
  ],
  true: [bound("boolean", "{prefix: -b}"), { v: true }, ["x", "-b"]],
  false: [bound("boolean", "{prefix: -b}"), { v: false }, ["x"]],
  "true without a prefix": [bound("boolean", "{}"), { v: true }, ["x"]],
  null: [bound("string?", "{prefix: -s, valueFrom: never}"), { v: null }, ["x"]],
  "a File": [bound("File", "{prefix: -f}"), { v: FILE }, ["x", "-f", "/in/a b.txt"]],
  "a list": [bound("'string[]'", "{prefix: -l}"), { v: ["a", "b"] }, ["x", "-l", "a", "b"]],
  "a joined list": [bound("'int[]'", "{prefix: -l, itemSeparator: ','}"), { v: [1, 2, 3] }, ["x", "-l", "1,2,3"]],
  "a list joined to its prefix": [
    bound("'File[]'", "{prefix: -l=, separate: false, itemSeparator: ' '}"),
    { v: [FILE, FILE] },
    ["x", "-l=/in/a b.txt /in/a b.txt"],
  ],
  "an empty list": [bound("'string[]'", "{prefix: -l}"), { v: [] }, ["x"]],
  "a prefix for each element": [
    bound("{type: array, items: string, inputBinding: {prefix: -e}}", "{position: 1, prefix: -l}"),
    { v: ["a", "b"] },
    ["x", "-l", "-e", "a", "-e", "b"],
  ],
  "a binding on the type only": [
    "baseCommand: x\ninputs:\n  v: {type: {type: array, items: int, inputBinding: {prefix: -e, separate: false}}}",
    { v: [1, 2] },
    ["x", "-e1", "-e2"],
  ],
  "lists in a list": [
    bound("{type: array, items: {type: array, items: string}}", "{}"),
    { v: [["a", "b"], ["c"]] },
    ["x", "a", "b", "c"],
  ],
  "elements keep their order beyond ten": [
    bound("'int[]'", "{}"),
    { v: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
    ["x", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"],
  ],
  "a union takes the binding of the option that fits": [
    bound("[string, {type: array, items: string, inputBinding: {prefix: -e}}]", "{}"),
    { v: ["a", "b"] },
    ["x", "-e", "a", "-e", "b"],
  ],
  "an enum with a binding of its own": [
    "baseCommand: x\ninputs:\n  v: {type: {type: enum, symbols: [a, b], inputBinding: {prefix: -m}}}",
    { v: "b" },
    ["x", "-m", "b"],
  ],
  "Any with a list": [bound("Any", "{prefix: -a}"), { v: [1, "b"] }, ["x", "-a", "1", "b"]],
  "valueFrom with self": [bound("File", "{valueFrom: $(self.basename)}"), { v: FILE }, ["x", "a b.txt"]],
  "valueFrom with a list": [
    bound("string", "{prefix: -l, valueFrom: \"$([self, 'z'])\"}"),
    { v: "a" },
    ["x", "-l", "a", "z"],
  ],
  "valueFrom with lists in a list": [
    bound("string", "{prefix: -l, valueFrom: \"$([['-i', self], null, [['z']]])\"}"),
    { v: "a" },
    ["x", "-l", "-i", "a", "z"],
  ],
  "valueFrom with null": [bound("string", "{prefix: -l, valueFrom: $(null)}"), { v: "a" }, ["x"]],
  "a constant valueFrom": [bound("int", "{prefix: -k, valueFrom: constant}"), { v: 1 }, ["x", "-k", "constant"]],
  "valueFrom on a list hides its elements": [
    bound("'string[]'", "{valueFrom: $(self.length)}"),
    { v: ["a", "b"] },
    ["x", "2"],
  ],
  "positions, then arguments before inputs, then names": [
    "baseCommand: [x, y]\narguments: [a0, {valueFrom: a1, position: 2}, {valueFrom: $(runtime.cores), position: 1, prefix: -c}]\ninputs:\n  b: {type: int, inputBinding: {position: 1}}\n  a: {type: int, inputBinding: {position: 1}}\n  z: {type: int, inputBinding: {}}\n  m: {type: int, inputBinding: {position: -1}}",
    { a: 1, b: 2, z: 3, m: 4 },
    ["x", "y", "4", "a0", "3", "-c", "3", "1", "2", "a1"],
  ],
  "positions by expressions": [
    "baseCommand: x\ninputs:\n  a: {type: int, inputBinding: {position: $(self)}}\n  b: {type: int, inputBinding: {position: $(inputs.a + 1)}}\n  c: {type: int, inputBinding: {position: 6}}",
    { a: 5, b: 1, c: 0 },
    ["x", "5", "1", "0"],
  ],
  "a record: its prefix, then its fields by position and name": [
    "baseCommand: x\ninputs:\n  r:\n    type: {type: record, name: r, fields: {b: {type: int, inputBinding: {position: 2, prefix: -b}}, a: {type: int, inputBinding: {position: 2, prefix: -a}}, first: {type: 'string?', inputBinding: {position: 1}}, unbound: int}}\n    inputBinding: {position: 3, prefix: -r}\n  s: {type: string, inputBinding: {position: 2}}",
    { r: { a: 1, b: 2, first: "f", unbound: 9 }, s: "s" },
    ["x", "s", "-r", "f", "-a", "1", "-b", "2"],
  ],
  "fields of a record without a binding are among the others": [
    "baseCommand: x\ninputs:\n  r: {type: {type: record, name: r, fields: {late: {type: int, inputBinding: {position: 9}}, early: {type: int, inputBinding: {position: 1}}}}}\n  s: {type: string, inputBinding: {position: 5}}",
    { r: { late: 1, early: 2 }, s: "s" },
    ["x", "2", "s", "1"],
  ],
  "records in a list": [
    "baseCommand: x\ninputs:\n  r: {type: {type: array, items: {type: record, name: r, fields: {k: {type: string, inputBinding: {position: 1, prefix: -k}}, v: {type: int, inputBinding: {position: 2, prefix: -v}}}}}}",
    {
      r: [
        { k: "a", v: 1 },
        { k: "b", v: 2 },
      ],
    },
    ["x", "-k", "a", "-v", "1", "-k", "b", "-v", "2"],
  ],
  "no base command": ["arguments: [echo, hi]\ninputs: []", {}, ["echo", "hi"]],
  "an argument of true": [
    "baseCommand: x\narguments: [{valueFrom: $(true), prefix: -t}, {valueFrom: $(false), prefix: -f}]\ninputs: []",
    {},
    ["x", "-t"],
  ],
  "a shell line, quoted unless the binding says no": [
    'baseCommand: [cat]\narguments: [{valueFrom: "| wc -l > out.txt", shellQuote: false, position: 2}, {valueFrom: "it\'s $HOME", shellQuote: true, position: 1}]\ninputs:\n  f: {type: File, inputBinding: {position: 1}}',
    { f: FILE },
    ["/bin/sh", "-c", "cat 'it'\\''s $HOME' '/in/a b.txt' | wc -l > out.txt"],
  ],
};

describe("buildCommandLine", () => {
  for (const [name, [yaml, inputs, expected]] of Object.entries(CASES))
    test(name, async () => assert.deepEqual(await argv(yaml, inputs), expected));

  test("refuses a NUL character", () =>
    assert.rejects(argv(bound("string", "{}"), { v: "a\0b" }), { code: "INPUT_INVALID" }));

  test("refuses a position that is not an integer, and names the field", () =>
    assert.rejects(argv(bound("string", "{position: $(self)}"), { v: "a" }), {
      code: "EXPRESSION",
      place: "inputs.v.inputBinding.position",
    }));
});

test("bindings are in order, however many there are", async () => {
  const tool = `baseCommand: x
inputs:
  last: {type: 'string[]', inputBinding: {position: 2}}
  first: {type: 'string[]', inputBinding: {position: 1}}
  second: {type: 'string[]', inputBinding: {position: 1}}
arguments: [{valueFrom: middle, position: 2}]`;
  const numbered = (name: string) => Array.from({ length: 5_000 }, (_, at) => `${name} ${at}`);
  const words = await argv(tool, { first: numbered("first"), second: numbered("second"), last: numbered("last") });
  assert.deepEqual(words, ["x", ...numbered("first"), ...numbered("second"), "middle", ...numbered("last")]);
});

test("every long reaches the command line with all its digits", async () => {
  const tool = `baseCommand: x
inputs:
  v: {type: long, inputBinding: {prefix: --v=, separate: false}}
  l: {type: 'long[]', inputBinding: {itemSeparator: ','}}
arguments: [{valueFrom: $(inputs.v), position: 1}, {valueFrom: "v$(inputs.v)", position: 2}]`;
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), async (long) => {
      const v = wholeNumber(String(long));
      const words = await argv(tool, { v, l: [v, 1] });
      assert.deepEqual(words.toSorted(), ["x", `--v=${long}`, `${long},1`, `${long}`, `v${long}`].toSorted());
    }),
    { numRuns: 50 },
  );
});
