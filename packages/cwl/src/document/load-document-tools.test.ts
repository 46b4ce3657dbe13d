/** Declarations of a tool: types, streams, bindings, defaults, requirements. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { asTool, loadSoundDocument, plain, toolText, type SoundCases } from "./testing/load-sound-document.ts";
import { typeText } from "../model/type-text.ts";

const CASES: SoundCases = {
  "types in every spelling": [
    toolText(`inputs:
  a: string
  b: File[]?
  c: {type: ["null", {type: array, items: int}]}
  d: {type: {type: record, name: pair, fields: {x: int, y: string?}}}
  e: {type: {type: enum, symbols: ["file:///w/a.cwl#e/one", two]}}
  f: int[][]
outputs: []
`),
    ({ inputs }) => inputs.map(({ id, type }) => `${id}: ${typeText(type)}`),
    ["a: string", "b: File[]?", "c: int[]?", "d: record pair", "e: enum [one, two]", "f: int[][]"],
  ],
  "types by name: own, imported, in any order": [
    {
      "a.cwl": toolText(`requirements:
  - class: SchemaDefRequirement
    types:
      - $import: types.yml
      - {name: Own, type: array, items: types.yml#Sample}
inputs: {a: Own, b: "#Own", c: "types.yml#Sample[]?"}
outputs: []
`),
      "types.yml": "- {name: Sample, type: record, fields: {sex: Sex}}\n- {name: Sex, type: enum, symbols: [f, m]}\n",
    },
    ({ inputs }) => inputs.map(({ type }) => typeText(type)),
    ["record Sample[]", "record Sample[]", "record Sample[]?"],
  ],
  "secondary files with their shorthand": [
    toolText(`inputs:
  a: {type: File, secondaryFiles: [.bai?, ^.dict, {pattern: .x, required: $(null)}]}
  b: {type: File, secondaryFiles: .fai}
outputs: []
`),
    ({ inputs }) => inputs.map(({ secondaryFiles }) => secondaryFiles),
    [
      [{ pattern: ".bai", required: false }, { pattern: "^.dict" }, { pattern: ".x", required: "$(null)" }],
      [{ pattern: ".fai" }],
    ],
  ],
  "streams spelled out": [
    { "my%20t%C3%B6%C3%B6l.cwl": toolText("inputs: {i-n: stdin}\noutputs: {o: stdout, e: stderr}\nstderr: log.txt\n") },
    (process) => {
      const { name, stdin, stdout, stderr, outputs } = asTool(process);
      return [
        name,
        stdin,
        stdout,
        stderr,
        ...outputs.map(({ type, outputBinding }) => [typeText(type), outputBinding?.glob]),
      ];
    },
    [
      "my tööl",
      '$(inputs["i-n"].path)',
      "my_t__l.stdout.txt",
      "log.txt",
      ["File", ["my_t__l.stdout.txt"]],
      ["File", ["log.txt"]],
    ],
    "my%20t%C3%B6%C3%B6l.cwl",
  ],
  "files in defaults made absolute": [
    toolText(`inputs:
  a: {type: File, default: {class: File, location: "data/a b.txt"}}
  b: {type: File, default: {class: File, path: "x#1.txt", secondaryFiles: [{class: Directory, location: ../d}]}}
  c: {type: Any, default: {deep: [{class: File, basename: l.txt, contents: hi}]}}
  d: {type: "int?", default: null}
outputs: []
`),
    ({ inputs }) => inputs.map((input) => input.default),
    [
      { class: "File", location: "file:///w/data/a%20b.txt" },
      {
        class: "File",
        location: "file:///w/x%231.txt",
        secondaryFiles: [{ class: "Directory", location: "file:///d" }],
      },
      { deep: [{ class: "File", basename: "l.txt", contents: "hi" }] },
      null,
    ],
  ],
  "bindings with their defaults": [
    toolText(`inputs: [{id: a, type: int, inputBinding: {position: 2, prefix: -n, separate: false}}]
outputs: [{id: o, type: File, outputBinding: {glob: "*.txt"}}]
arguments: [-v, {valueFrom: $(runtime.cores), shellQuote: false}]
baseCommand: run
successCodes: [0, 2]
`),
    (process) => {
      const { inputs, outputs, arguments: args, baseCommand, successCodes } = asTool(process);
      return [inputs[0]?.inputBinding, outputs[0]?.outputBinding, args, baseCommand, successCodes];
    },
    [
      { position: 2, prefix: "-n", separate: false, shellQuote: true },
      { glob: ["*.txt"], loadContents: false },
      ["-v", { valueFrom: "$(runtime.cores)", separate: true, shellQuote: false }],
      ["run"],
      [0, 2],
    ],
  ],
  "requirements as map and as list": [
    toolText(`requirements:
  EnvVarRequirement: {envDef: {A: x}}
  InitialWorkDirRequirement:
    listing: [$(null), {entry: text, entryname: n.txt}, {class: File, location: s.py}]
hints:
  - {class: SoftwareRequirement, packages: {samtools: {version: ["1.9"]}, bwa: https://example.org/bwa}}
  - {class: ResourceRequirement, coresMin: 0.5, ramMin: $(null)}
inputs: []
outputs: []
`),
    ({ requirements, hints }) => [requirements, hints],
    [
      [
        { class: "EnvVarRequirement", envDef: [{ envName: "A", envValue: "x" }] },
        {
          class: "InitialWorkDirRequirement",
          listing: [
            { kind: "expression", expression: "$(null)" },
            { kind: "dirent", entry: "text", entryname: "n.txt", writable: false },
            { kind: "value", value: { class: "File", location: "file:///w/s.py" } },
          ],
        },
      ],
      [
        {
          class: "SoftwareRequirement",
          packages: [
            { package: "samtools", version: ["1.9"], specs: [] },
            { package: "bwa", version: [], specs: ["https://example.org/bwa"] },
          ],
        },
        { class: "ResourceRequirement", coresMin: 0.5, ramMin: "$(null)" },
      ],
    ],
  ],
};

for (const [name, [files, pick, expected, reference]] of Object.entries(CASES))
  test(`loadDocument reads ${name}`, async () =>
    assert.deepEqual(plain(pick(await loadSoundDocument(files, reference))), expected));
