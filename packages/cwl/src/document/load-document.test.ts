import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandLineTool, Process, Workflow } from "../model/process.ts";
import { loadDocument } from "./load-document.ts";
import { memoryDocumentReader } from "./memory-document-reader.ts";
import { typeText } from "./type-text.ts";

type Files = { readonly [name: string]: string };

const texts = (files: Files) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`file:///w/${name}`, text]));

/** Loads without any complaint, or fails the test. */
async function load(files: Files, reference = "a.cwl"): Promise<Process> {
  const { process, diagnostics } = await loadDocument(`file:///w/${reference}`, {
    reader: memoryDocumentReader(texts(files)),
  });
  assert.deepEqual(diagnostics, []);
  assert.ok(process !== undefined);
  return process;
}

const asTool = (process: Process): CommandLineTool =>
  process.class === "CommandLineTool" ? process : assert.fail(process.class);
const asWorkflow = (process: Process): Workflow =>
  process.class === "Workflow" ? process : assert.fail(process.class);
/** Without prototypes and positions, to compare with literals. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      key === "position" && typeof inner === "object" ? undefined : inner,
    ),
  );

const tool = (body: string, version = "v1.2") => `cwlVersion: ${version}
class: CommandLineTool
${body}`;

interface Case {
  readonly name: string;
  readonly files: Files;
  readonly reference?: string;
  readonly pick: (process: Process) => unknown;
  readonly expected: unknown;
}

const CASES: readonly Case[] = [
  {
    name: "types in every spelling",
    files: {
      "a.cwl": tool(`inputs:
  a: string
  b: File[]?
  c: {type: ["null", {type: array, items: int}]}
  d: {type: {type: record, name: pair, fields: {x: int, y: string?}}}
  e: {type: {type: enum, symbols: ["file:///w/a.cwl#e/one", two]}}
  f: int[][]
outputs: []
`),
    },
    pick: ({ inputs }) => inputs.map(({ id, type }) => `${id}: ${typeText(type)}`),
    expected: ["a: string", "b: File[]?", "c: int[]?", "d: record pair", "e: enum [one, two]", "f: int[][]"],
  },
  {
    name: "types by name: own, imported, in any order",
    files: {
      "a.cwl": tool(`requirements:
  - class: SchemaDefRequirement
    types:
      - $import: types.yml
      - {name: Own, type: array, items: types.yml#Sample}
inputs: {a: Own, b: "#Own", c: "types.yml#Sample[]?"}
outputs: []
`),
      "types.yml": "- {name: Sample, type: record, fields: {sex: Sex}}\n- {name: Sex, type: enum, symbols: [f, m]}\n",
    },
    pick: ({ inputs }) => inputs.map(({ type }) => typeText(type)),
    expected: ["record Sample[]", "record Sample[]", "record Sample[]?"],
  },
  {
    name: "secondary files with their shorthand",
    files: {
      "a.cwl": tool(`inputs:
  a: {type: File, secondaryFiles: [.bai?, ^.dict, {pattern: .x, required: $(true)}]}
  b: {type: File, secondaryFiles: .fai}
outputs: []
`),
    },
    pick: ({ inputs }) => inputs.map(({ secondaryFiles }) => secondaryFiles),
    expected: [
      [{ pattern: ".bai", required: false }, { pattern: "^.dict" }, { pattern: ".x", required: "$(true)" }],
      [{ pattern: ".fai" }],
    ],
  },
  {
    name: "streams spelled out",
    files: {
      "my%20t%C3%B6%C3%B6l.cwl": tool("inputs: {i-n: stdin}\noutputs: {o: stdout, e: stderr}\nstderr: log.txt\n"),
    },
    reference: "my%20t%C3%B6%C3%B6l.cwl",
    pick: (process) => {
      const { name, stdin, stdout, stderr, outputs } = asTool(process);
      return [
        name,
        stdin,
        stdout,
        stderr,
        ...outputs.map(({ type, outputBinding }) => [typeText(type), outputBinding?.glob]),
      ];
    },
    expected: [
      "my tööl",
      '$(inputs["i-n"].path)',
      "my_t__l.stdout.txt",
      "log.txt",
      ["File", ["my_t__l.stdout.txt"]],
      ["File", ["log.txt"]],
    ],
  },
  {
    name: "files in defaults made absolute",
    files: {
      "a.cwl": tool(`inputs:
  a: {type: File, default: {class: File, location: "data/a b.txt"}}
  b: {type: File, default: {class: File, path: "x#1.txt", secondaryFiles: [{class: Directory, location: ../d}]}}
  c: {type: Any, default: {deep: [{class: File, basename: l.txt, contents: hi}]}}
  d: {type: "int?", default: null}
outputs: []
`),
    },
    pick: ({ inputs }) => inputs.map((input) => input.default),
    expected: [
      { class: "File", location: "file:///w/data/a%20b.txt" },
      {
        class: "File",
        location: "file:///w/x%231.txt",
        secondaryFiles: [{ class: "Directory", location: "file:///d" }],
      },
      { deep: [{ class: "File", basename: "l.txt", contents: "hi" }] },
      null,
    ],
  },
  {
    name: "bindings with their defaults",
    files: {
      "a.cwl": tool(`inputs: [{id: a, type: int, inputBinding: {position: 2, prefix: -n, separate: false}}]
outputs: [{id: o, type: File, outputBinding: {glob: "*.txt"}}]
arguments: [-v, {valueFrom: $(runtime.cores), shellQuote: false}]
baseCommand: run
successCodes: [0, 2]
`),
    },
    pick: (process) => {
      const { inputs, outputs, arguments: args, baseCommand, successCodes } = asTool(process);
      return [inputs[0]?.inputBinding, outputs[0]?.outputBinding, args, baseCommand, successCodes];
    },
    expected: [
      { position: 2, prefix: "-n", separate: false, shellQuote: true },
      { glob: ["*.txt"], loadContents: false },
      ["-v", { valueFrom: "$(runtime.cores)", separate: true, shellQuote: false }],
      ["run"],
      [0, 2],
    ],
  },
  {
    name: "requirements as map and as list",
    files: {
      "a.cwl": tool(`requirements:
  EnvVarRequirement: {envDef: {A: x}}
  InitialWorkDirRequirement:
    listing: [$(inputs.a), {entry: text, entryname: n.txt}, {class: File, location: s.py}]
hints:
  - {class: SoftwareRequirement, packages: {samtools: {version: ["1.9"]}, bwa: https://example.org/bwa}}
  - {class: ResourceRequirement, coresMin: 0.5, ramMin: $(inputs.ram)}
inputs: []
outputs: []
`),
    },
    pick: ({ requirements, hints }) => [requirements, hints],
    expected: [
      [
        { class: "EnvVarRequirement", envDef: [{ envName: "A", envValue: "x" }] },
        {
          class: "InitialWorkDirRequirement",
          listing: [
            { kind: "expression", expression: "$(inputs.a)" },
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
        { class: "ResourceRequirement", coresMin: 0.5, ramMin: "$(inputs.ram)" },
      ],
    ],
  },
  {
    name: "prefixes and other people's fields",
    files: {
      "a.cwl": tool(`$namespaces: {edam: "http://edamontology.org/", s: "https://schema.org/"}
$schemas: [edam.owl]
s:author: {s:name: me}
doc: [one, two]
inputs: {a: {type: File, format: edam:format_2330}, b: {type: File, format: [$(inputs.f), edam:x]}}
outputs: []
`),
      "edam.owl": "<rdf:RDF/>",
    },
    pick: ({ doc, inputs }) => [doc, ...inputs.map(({ format }) => format)],
    expected: ["one\ntwo", ["http://edamontology.org/format_2330"], ["$(inputs.f)", "http://edamontology.org/x"]],
  },
  {
    name: "import, include and mixin",
    files: {
      "a.cwl": tool(`doc: {$include: doc/about.md}
requirements:
  InlineJavascriptRequirement: {expressionLib: [{$include: lib.js}]}
inputs: {$import: parts/inputs.yml}
outputs: []
`),
      "doc/about.md": "# About: {this}\n",
      "lib.js": "function f() {}",
      "parts/inputs.yml": "a: {$mixin: base.yml, label: own}\n",
      "parts/base.yml": "type: File\nlabel: theirs\ndefault: {class: File, path: d.txt}\n",
    },
    pick: ({ doc, requirements, inputs }) => [doc, requirements, inputs[0]?.label, inputs[0]?.default],
    expected: [
      "# About: {this}\n",
      [{ class: "InlineJavascriptRequirement", expressionLib: ["function f() {}"] }],
      "own",
      { class: "File", location: "file:///w/parts/d.txt" },
    ],
  },
  {
    name: "a process chosen from a graph",
    files: {
      "a.cwl":
        "cwlVersion: v1.2\n$graph:\n- {class: Operation, id: x, inputs: [], outputs: []}\n- {class: Operation, id: '#main', inputs: [], outputs: []}\n",
    },
    reference: "a.cwl#x",
    pick: ({ id, name }) => [id, name],
    expected: ["file:///w/a.cwl#x", "x"],
  },
  {
    name: "#main where nothing is chosen",
    files: {
      "a.cwl":
        "cwlVersion: v1.2\n$graph:\n- {class: Operation, id: x, inputs: [], outputs: []}\n- {class: Operation, id: '#main', inputs: [], outputs: []}\n",
    },
    pick: ({ id }) => id,
    expected: "file:///w/a.cwl#main",
  },
  {
    name: "v1.0 with what it took for granted",
    files: {
      "a.cwl": tool(
        `hints: [{class: "cwltool:TimeLimit", timelimit: 5}, {class: "cwltool:LoadListingRequirement", loadListing: no_listing}]
inputs: {a: {type: File, secondaryFiles: [".bai?"], inputBinding: {loadContents: true}}}
outputs: []
`,
        "v1.0",
      ),
    },
    pick: ({ cwlVersion, hints, defaults, inputs: [input] }) => [
      cwlVersion,
      hints,
      defaults,
      input?.loadContents,
      input?.secondaryFiles,
    ],
    expected: [
      "v1.0",
      [
        { class: "ToolTimeLimit", timelimit: 5 },
        { class: "LoadListingRequirement", loadListing: "no_listing" },
      ],
      [
        { class: "LoadListingRequirement", loadListing: "deep_listing" },
        { class: "NetworkAccess", networkAccess: true },
      ],
      true,
      [{ pattern: ".bai?" }],
    ],
  },
];

for (const { name, files, reference, pick, expected } of CASES) {
  test(`loadDocument reads ${name}`, async () => assert.deepEqual(plain(pick(await load(files, reference))), expected));
}

const NETWORK: Files = {
  "net/main.cwl": `cwlVersion: v1.2
class: Workflow
id: main
requirements: [{class: ScatterFeatureRequirement}, {class: StepInputExpressionRequirement}]
inputs: {reads: "File[]", depth: int}
outputs:
  sorted: {type: "File[]", outputSource: "#main/sort/out"}
steps:
  sort:
    run: ../tools/sort.cwl
    scatter: reads
    in:
      reads: reads
      depth: {source: ["#main/depth"], valueFrom: "$(self[0] + 1)"}
    out: [out]
  count:
    in: {files: {source: sort/out, default: []}}
    out: [{id: n}]
    run: {class: Operation, inputs: {files: "File[]"}, outputs: {n: int}}
`,
  "tools/sort.cwl": tool("inputs: {reads: File, depth: int?}\noutputs: {out: stdout}\n"),
};

test("loadDocument reads a network with its tools", async () => {
  const { steps, outputs, position } = asWorkflow(await load(NETWORK, "net/main.cwl"));
  assert.deepEqual(outputs[0]?.outputSource, { source: ["sort/out"], sourceIsList: false });
  const [sort, count] = steps;
  assert.ok(sort !== undefined && count !== undefined);
  assert.deepEqual(
    [sort.run.id, sort.run.name, sort.runReference],
    ["file:///w/tools/sort.cwl", "sort", "../tools/sort.cwl"],
  );
  assert.deepEqual(
    [sort.scatter, sort.out, sort.in[1]?.source, sort.in[1]?.sourceIsList],
    [["reads"], ["out"], ["depth"], true],
  );
  assert.deepEqual(
    [count.run.id, count.run.name, count.runReference],
    ["file:///w/net/main.cwl#main/count/run", "count", undefined],
  );
  assert.deepEqual([count.out, count.in[0]?.default], [["n"], []]);
  assert.deepEqual([position.line, sort.position.line, count.position.line], [1, 9, 16]);
});

test("loadDocument lists what it read, the root first, each once", async () => {
  const files: Files = {
    "a.cwl":
      "cwlVersion: v1.2\nclass: Workflow\ndoc: {$include: d.md}\ninputs: []\noutputs: []\nsteps:\n  x: {run: t.cwl, in: [], out: []}\n  y: {run: t.cwl, in: [], out: []}\n",
    "t.cwl": tool("inputs: []\noutputs: []\n"),
    "d.md": "hi",
  };
  const { sources } = await loadDocument("file:///w/a.cwl", { reader: memoryDocumentReader(texts(files)) });
  assert.deepEqual(
    sources,
    ["a.cwl", "d.md", "t.cwl"].map((name) => ({ uri: `file:///w/${name}`, text: files[name] })),
  );
});

test("loadDocument shares one process between the steps that run it", async () => {
  const step = "{run: t.cwl, in: [], out: []}";
  const network = `cwlVersion: v1.2\nclass: Workflow\ninputs: []\noutputs: []\nsteps:\n  x: ${step}\n  y: ${step}\n`;
  const { steps } = asWorkflow(await load({ "a.cwl": network, "t.cwl": tool("inputs: []\noutputs: []\n") }));
  assert.equal(steps[0]?.run, steps[1]?.run);
});

test("loadDocument keeps a step whose tool is missing, with an Operation in its place", async () => {
  const network =
    "cwlVersion: v1.2\nclass: Workflow\ninputs: {i: int}\noutputs: []\nsteps:\n  x: {run: t.cwl, in: {a: i}, out: [o]}\n";
  const { process, diagnostics } = await loadDocument("file:///w/a.cwl", {
    reader: memoryDocumentReader(texts({ "a.cwl": network })),
  });
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["unreadable"],
  );
  assert.ok(process !== undefined);
  const [step] = asWorkflow(process).steps;
  assert.deepEqual(
    [step?.run.class, step?.run.inputs.map(({ id }) => id), step?.run.outputs.map(({ id }) => id)],
    ["Operation", ["a"], ["o"]],
  );
});
