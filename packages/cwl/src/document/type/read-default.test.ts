import assert from "node:assert/strict";
import { test } from "node:test";
import { loadDocument } from "../load-document.ts";
import { memoryDocumentReader } from "../memory-document-reader.ts";

/** Loads a document whose first input begins in line 4, column 3. */
const load = (inputs: readonly string[], process = "Operation") => {
  const steps = process === "Workflow" ? "steps: []\n" : "";
  const text = `cwlVersion: v1.2\nclass: ${process}\ninputs:\n  ${inputs.join("\n  ")}\noutputs: []\n${steps}`;
  return loadDocument("file:///w/a.cwl", { reader: memoryDocumentReader({ "file:///w/a.cwl": text }) });
};

const FITTING: Readonly<Record<string, readonly [string, unknown]>> = {
  "null for anything": ["{type: int, default: null}", null],
  "a whole number for a double": ["{type: double, default: 3}", 3],
  "a round number for an int": ["{type: int, default: 3.0}", 3],
  "text that looks like an expression": ["{type: string, default: $(no.expression)}", "$(no.expression)"],
  "a File": ["{type: File, default: {class: File, path: a.txt}}", { class: "File", location: "file:///w/a.txt" }],
  "an empty File": ['{type: File, default: {class: File, contents: ""}}', { class: "File", contents: "" }],
  "one of several types": [
    "{type: [string, Directory], default: {class: Directory, listing: []}}",
    { class: "Directory", listing: [] },
  ],
  "a record without its optional fields": [
    '{type: {type: record, fields: {a: "int?", b: string}}, default: {b: x}}',
    { b: "x" },
  ],
  "anything for Any": ["{type: Any, default: [1, a]}", [1, "a"]],
};
for (const [name, [input, expected]] of Object.entries(FITTING))
  test(`a default may be ${name}`, async () => {
    const { process, diagnostics } = await load([`x: ${input}`]);
    assert.deepEqual(diagnostics, []);
    assert.deepEqual(JSON.parse(JSON.stringify(process?.inputs[0]?.default)), expected);
  });

test("a default may be a File for stdin", async () => {
  const { diagnostics } = await load(["x: {type: stdin, default: {class: File, location: a.txt}}"], "CommandLineTool");
  assert.deepEqual(diagnostics, []);
});

/** `line:column code: message [hint]`; line 4 is the input's. */
const WRONG: Readonly<Record<string, readonly [string, ...(readonly string[])]>> = {
  "a number in quotes": [
    '{type: int, default: "4"}',
    '4:27 warning wrong-type: inputs.x.default: expected int, found the text "4" [write 4 without quotes]',
  ],
  "a misspelled symbol": [
    "{type: {type: enum, symbols: [fast, slow]}, default: fats}",
    "4:59 warning unknown-symbol: inputs.x.default: `fats` is none of `fast`, `slow` [did you mean `fast`?]",
  ],
  "a wrong item": [
    '{type: ["null", {type: array, items: int}], default: [1, two]}',
    '4:63 warning wrong-type: inputs.x.default.1: expected int, found the text "two"',
  ],
  "a record with every kind of mistake": [
    "{type: {type: record, fields: {a: int, c: string}}, default: {a: 1.5, d: 0}}",
    "4:67 warning missing: inputs.x.default.c: field `c` of type string is required",
    "4:71 warning wrong-type: inputs.x.default.a: expected int, found the number 1.5",
    "4:79 warning unknown-field: inputs.x.default.d: the record has no field `d`",
  ],
  "a Directory for a File": [
    "{type: File, default: {class: Directory, location: d}}",
    "4:28 warning wrong-type: inputs.x.default: expected File, found a Directory",
  ],
  "a File with a wrong location, reported once": [
    "{type: File, default: {class: File, location: 5}}",
    "4:28 invalid-file: inputs.x.default: the File has a wrong location",
  ],
  "a File of Any whose name leaves its folder": [
    '{type: Any, default: {a: {class: File, basename: ../x, contents: ""}}}',
    "4:55 invalid-file: inputs.x.default: `../x` cannot be the name of a File [make `basename` a single name: not empty, not `.` or `..`, and without `/`]",
  ],
  "for a misspelled type, whose error is enough": [
    "{type: strnig, default: 3}",
    "4:13 unknown-type: inputs.x.type: unknown type `strnig` [did you mean `string`?]",
  ],
};
for (const process of ["Operation", "CommandLineTool", "Workflow"])
  for (const [name, [input, ...expected]] of Object.entries(WRONG))
    test(`a default of a ${process} is reported if it is ${name}`, async () => {
      const { diagnostics } = await load([`x: ${input}`], process);
      const found = diagnostics.map(({ severity, code, message, line, column, hint }) => {
        const kind = severity === "error" ? code : `${severity} ${code}`;
        return `${line}:${column} ${kind}: ${message}${hint === undefined ? "" : ` [${hint}]`}`;
      });
      assert.deepEqual(found, expected);
    });

const TOOL = "cwlVersion: v1.2\nclass: Operation\nid: t\ninputs:\n  x: {type: int, default: low}\noutputs: []\n";

/** The step's `in` and other fields; the severities of the findings about the default of another type. */
const STEPS: readonly (readonly [string, string, readonly string[]])[] = [
  ["that gives a value", "{in: {x: n}}", ["warning"]],
  ["that has a default of its own", "{in: {x: {default: 3}}}", ["warning"]],
  ["that uses it", "{in: {}}", ["error", "warning"]],
  ["that may not run", "{in: {}, when: $(false)}", ["warning"]],
  ["whose own default is used, and of another type", "{in: {x: {default: low}}}", ["error", "warning"]],
  [
    "whose own default is of another type, next to a source",
    "{in: {x: {source: n, default: low}}}",
    ["warning", "warning"],
  ],
];
for (const [name, step, expected] of STEPS)
  test(`checks a default of another type in a tool of a step ${name}`, async () => {
    const fields = step.slice(1, -1);
    const texts = {
      "file:///w/a.cwl": `cwlVersion: v1.2\nclass: Workflow\nrequirements: {InlineJavascriptRequirement: {}}\ninputs: {n: int}\noutputs: []\nsteps:\n  s: {run: t.cwl, out: [], ${fields}}\n`,
      "file:///w/t.cwl": TOOL,
    };
    const { diagnostics } = await loadDocument("file:///w/a.cwl", { reader: memoryDocumentReader(texts) });
    assert.deepEqual(
      diagnostics.map(({ severity }) => severity),
      expected,
    );
  });

test("a default that loses zeros is reported as written in the file", async () => {
  const { diagnostics } = await load(["x: {type: string, default: 007}"]);
  assert.match(diagnostics[0]?.message ?? "", /found the number 007$/);
  assert.equal(diagnostics[0]?.hint, 'write it in quotes: "007"');
});
