import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSoundDocument, plain } from "../testing/load-sound-document.ts";
import { expectProblems, reportedProblems } from "../testing/reported-problems.ts";

/** A document whose input begins in line 4, column 3. */
const textOf = (input: string, process = "Operation") =>
  `cwlVersion: v1.2\nclass: ${process}\ninputs:\n  ${input}\noutputs: []\n${process === "Workflow" ? "steps: []\n" : ""}`;

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
    const { inputs } = await loadSoundDocument({ "a.cwl": textOf(`x: ${input}`) });
    assert.deepEqual(plain(inputs[0]?.default), expected);
  });

test("a default may be a File for stdin", async () => {
  const input = "x: {type: stdin, default: {class: File, location: a.txt}}";
  assert.deepEqual(await reportedProblems({ "a.cwl": textOf(input, "CommandLineTool") }), []);
});

/** Inputs, and the findings about their defaults: `line:column code: message [hint]`; line 4 is the input's. */
const WRONG: Readonly<Record<string, string | readonly string[]>> = {
  '{type: int, default: "4"}':
    '4:27 warning wrong-type: inputs.x.default: expected int, found the text "4" [write 4 without quotes]',
  "{type: {type: enum, symbols: [fast, slow]}, default: fats}":
    "4:59 warning unknown-symbol: inputs.x.default: `fats` is none of `fast`, `slow` [did you mean `fast`?]",
  '{type: ["null", {type: array, items: int}], default: [1, two]}':
    '4:63 warning wrong-type: inputs.x.default.1: expected int, found the text "two"',
  "{type: {type: record, fields: {a: int, c: string}}, default: {a: 1.5, d: 0}}": [
    "4:67 warning missing: inputs.x.default.c: field `c` of type string is required",
    "4:71 warning wrong-type: inputs.x.default.a: expected int, found the number 1.5",
    "4:79 warning unknown-field: inputs.x.default.d: the record has no field `d`",
  ],
  "{type: File, default: {class: Directory, location: d}}":
    "4:28 warning wrong-type: inputs.x.default: expected File, found a Directory",
  "{type: File, default: {class: File, location: 5}}":
    "4:28 invalid-file: inputs.x.default: the File has a wrong location",
  '{type: Any, default: {a: {class: File, basename: ../x, contents: ""}}}':
    "4:55 invalid-file: inputs.x.default: `../x` cannot be the name of a File [make `basename` a single name: not empty, not `.` or `..`, and without `/`]",
  "{type: strnig, default: 3}": "4:13 unknown-type: inputs.x.type: unknown type `strnig` [did you mean `string`?]",
};
for (const process of ["Operation", "CommandLineTool", "Workflow"])
  for (const [input, expected] of Object.entries(WRONG))
    test(`a default of a ${process} is reported: ${input}`, () =>
      expectProblems({ "a.cwl": textOf(`x: ${input}`, process) }, expected));

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
    const network = `cwlVersion: v1.2\nclass: Workflow\nrequirements: {InlineJavascriptRequirement: {}}\ninputs: {n: int}\noutputs: []\nsteps:\n  s: {run: t.cwl, out: [], ${step.slice(1, -1)}}\n`;
    const found = await reportedProblems({ "a.cwl": network, "t.cwl": TOOL });
    const shown = found.map((problem) => (problem.includes(" warning ") ? "warning" : "error"));
    assert.deepEqual(shown, expected);
  });

test("a default that loses zeros is reported as written in the file", async () => {
  const [problem] = await reportedProblems({ "a.cwl": textOf("x: {type: string, default: 007}") });
  assert.match(problem ?? "", /found the number 007 \[write it in quotes: "007"\]$/);
});
