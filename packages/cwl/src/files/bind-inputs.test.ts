import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadTool } from "../command/testing/load-process.ts";
import { createEvaluator } from "../expression/evaluate.ts";
import { createQuickjsEngine } from "../expression/testing/quickjs-engine.ts";
import { effectiveRequirements } from "../model/effective-requirements.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import { bindInputs, inspectInputs, type BindOptions } from "./bind-inputs.ts";
import { createMemoryFiles, described } from "./testing/memory-files.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";

const script = createQuickjsEngine();
const FILES = createMemoryFiles({
  "/d/a.bam": "reads",
  "/d/a.bam.bai": "index",
  "/d/a.json": "{}",
  "/d/x y.txt": "spaces",
  "/d/big": "x".repeat(65537),
  "/d/latin1": { bytes: Buffer.from("caf\xe9", "latin1") },
  "/d/sub/one.txt": "1",
  "/d/sub/deep/two.txt": "22",
  "/d/empty": null,
  "/d/device": { special: true },
});

const file = (name: string, more: object = {}) => ({ class: "File", location: `file:///d/${name}`, ...more }) as const;
const folder = (name: string) => ({ class: "Directory", location: `file:///d/${name}` }) as const;

async function optionsFor(inputs: string, values: CwlObject, more: Partial<BindOptions> = {}): Promise<BindOptions> {
  const process = await loadTool(
    `requirements: {InlineJavascriptRequirement: {}}\nbaseCommand: x\noutputs: []\ninputs:\n${inputs}`,
  );
  const requirements = effectiveRequirements([process]);
  return {
    process,
    values,
    files: FILES,
    requirements,
    evaluator: createEvaluator({ script, requirements, limits: { ...TEST_LIMITS, loadedContentBytes: 1024 ** 2 } }),
    ...more,
  };
}

const BAM = described("file:///d/a.bam", 5);
const BAI = described("file:///d/a.bam.bai", 5);
const JSON_FILE = described("file:///d/a.json", 2);

describe("bindInputs", () => {
  const cases: Readonly<Record<string, readonly [inputs: string, values: CwlObject, expected: unknown]>> = {
    "applies defaults, including to null": [
      "  a: {type: int, default: 3}\n  b: {type: int, default: 4}\n  c: int?",
      { b: null },
      { a: 3, b: 4, c: null },
    ],
    "keeps the digits of a long, and makes a double a number": [
      "  a: long\n  b: double\n  c: {type: 'double[]', default: [9007199254740993]}\n  d: {type: long, default: 9007199254740993}",
      { a: 2n ** 53n + 1n, b: 2n ** 53n + 1n },
      { a: 2n ** 53n + 1n, b: 2 ** 53, c: [2 ** 53], d: 2n ** 53n + 1n },
    ],
    "drops undeclared inputs": ["  a: int", { a: 1, b: 2 }, { a: 1 }],
    "describes a File": ["  f: File", { f: file("a.bam") }, { f: BAM }],
    "keeps another basename": [
      "  f: File",
      { f: file("a.bam", { basename: "b.x.y" }) },
      { f: { ...BAM, basename: "b.x.y", nameroot: "b.x", nameext: ".y" } },
    ],
    "drops an earlier job's path": ["  f: File", { f: { ...BAM, path: "/old/a.bam", dirname: "/old" } }, { f: BAM }],
    "decodes names": [
      "  f: File",
      { f: file("x%20y.txt") },
      { f: described("file:///d/x%20y.txt", 6, { basename: "x y.txt", nameroot: "x y" }) },
    ],
    "uses a path as the location": ["  f: File", { f: { class: "File", path: "/d/a.bam" } }, { f: BAM }],
    "a literal": [
      "  f: File",
      { f: { class: "File", basename: "l.txt", contents: "\u00e4" } },
      { f: { class: "File", basename: "l.txt", nameroot: "l", nameext: ".txt", size: 2, contents: "\u00e4" } },
    ],
    contents: ["  f: {type: File, loadContents: true}", { f: file("a.json") }, { f: { ...JSON_FILE, contents: "{}" } }],
    "no listing": [
      "  d: Directory",
      { d: { ...folder("sub"), listing: [] } },
      { d: { ...folder("sub"), basename: "sub" } },
    ],
    "a shallow listing": [
      "  d: {type: Directory, loadListing: shallow_listing}",
      { d: folder("sub") },
      {
        d: {
          ...{ ...folder("sub"), basename: "sub" },
          listing: [{ ...folder("sub/deep"), basename: "deep" }, described("file:///d/sub/one.txt", 1)],
        },
      },
    ],
    "secondary files": [
      "  f: {type: File, secondaryFiles: [.bai, ^.none?]}",
      { f: file("a.bam") },
      { f: { ...BAM, secondaryFiles: [BAI] } },
    ],
    "secondary files by expressions that see other inputs": [
      "  n: string\n  f: {type: File, secondaryFiles: ['$(self.nameroot)$(inputs.n)', '$(null)']}",
      { n: ".json", f: file("a.bam") },
      { n: ".json", f: { ...BAM, secondaryFiles: [JSON_FILE] } },
    ],
    "files in lists and records": [
      "  r: {type: {type: array, items: {type: record, name: r, fields: {f: {type: File, secondaryFiles: .bai}, n: int?}}}}",
      { r: [{ f: file("a.bam") }] },
      { r: [{ f: { ...BAM, secondaryFiles: [BAI] }, n: null }] },
    ],
    "files under Any": ["  x: Any", { x: { deep: [file("a.bam")] } }, { x: { deep: [BAM] } }],
    "a Directory literal": [
      "  d: Directory",
      { d: { class: "Directory", basename: "l", listing: [file("a.bam")] } },
      { d: { class: "Directory", basename: "l", listing: [BAM] } },
    ],
  };
  for (const [name, [inputs, values, expected]] of Object.entries(cases))
    test(name, async () => assert.deepEqual(await bindInputs(await optionsFor(inputs, values)), expected));

  test("cuts long contents for documents before v1.2", async () => {
    const options = await optionsFor("  f: {type: File, loadContents: true}", { f: file("big") });
    const inputs = await bindInputs({ ...options, process: { ...options.process, cwlVersion: "v1.0" } });
    assert.equal(Object(inputs["f"]).contents.length, 65536);
  });
});

describe("inspectInputs reports all problems", () => {
  const cases: Readonly<Record<string, readonly [inputs: string, values: CwlObject, expected: readonly string[]]>> = {
    "missing files, wherever they are": [
      "  f: File\n  l: File[]",
      { f: file("nope"), l: [file("a.bam"), file("gone")] },
      ["missing-file /f/location", "missing-file /l/1/location"],
    ],
    "a folder for a File": ["  f: File", { f: file("sub") }, ["missing-file /f/location"]],
    "a device": ["  f: File", { f: file("device") }, ["missing-file /f/location"]],
    "another machine's file": [
      "  f: File",
      { f: { class: "File", location: "https://x/y" } },
      ["invalid-file /f/location"],
    ],
    "a relative location": ["  f: File", { f: { class: "File", location: "y" } }, ["invalid-file /f/location"]],
    "a missing secondary file and a wrong number": [
      "  f: {type: File, secondaryFiles: ^.crai}\n  n: int",
      { f: file("a.bam"), n: "x" },
      ["wrong-type /n", "missing-secondary-file /f"],
    ],
    "contents that are not UTF-8": [
      "  f: {type: File, loadContents: true}",
      { f: file("latin1") },
      ["invalid-file /f"],
    ],
    "contents too large": ["  f: {type: File, loadContents: true}", { f: file("big") }, ["too-large /f"]],
    "a wrong format": [
      "  f: {type: File, format: 'http://e/1'}\n  g: {type: File, format: 'http://e/1'}",
      { f: file("a.bam", { format: "http://e/2" }), g: file("a.bam") },
      ["wrong-format /f/format", "wrong-format /g/format"],
    ],
    "an expression that fails": [
      "  f: {type: File, secondaryFiles: '$(inputs.open.nothing)'}\n  open: Any?",
      { f: file("a.bam") },
      ["expression /f"],
    ],
  };
  for (const [name, [inputs, values, expected]] of Object.entries(cases))
    test(name, async () => {
      const { problems } = await inspectInputs(await optionsFor(inputs, values));
      const found = problems.map(({ code, pointer }) => `${code} ${pointer}`);
      assert.deepEqual(found, expected);
    });

  test("formats may be subclasses or have a prefix", async () => {
    const isSubformat = (actual: string) => actual === "http://e/sorted-bam";
    const fitting = { isSubformat, namespaces: new Map([["e", "http://e/"]]) };
    const values = { f: file("a.bam", { format: "e:sorted-bam" }) };
    const options = await optionsFor("  f: {type: File, format: 'http://e/bam'}", values, fitting);
    assert.deepEqual((await inspectInputs(options)).problems, []);
  });

  test("secondary files of a tool's default are found next to it", async () => {
    const input = "  f: {type: File, secondaryFiles: .bai, default: {class: File, location: 'file:///d/a.bam'}}";
    const { inputs, problems } = await inspectInputs(await optionsFor(input, {}, { discoverSecondaryFiles: false }));
    assert.deepEqual(problems, []);
    assert.deepEqual(inputs, { f: { ...BAM, secondaryFiles: [BAI] } });
  });

  test("secondary files of earlier steps come along or are missing", async () => {
    const input = "  f: {type: File, secondaryFiles: .bai}";
    const step = { discoverSecondaryFiles: false };
    const found = (values: CwlObject) => optionsFor(input, values, step).then(inspectInputs);
    assert.equal((await found({ f: file("a.bam") })).problems.length, 1);
    assert.equal((await found({ f: file("a.bam", { secondaryFiles: [file("a.bam.bai")] }) })).problems.length, 0);
  });
});

test("bindInputs rejects with the first problem, its place and code", async () => {
  const options = await optionsFor("  f: File\n  n: int", { f: file("nope"), n: 1 });
  await assert.rejects(bindInputs(options), {
    code: "STAGE_IN",
    place: "inputs.f.location",
    message: /input \/f\/location: expected a File at `file:\/\/\/d\/nope`, but there is nothing/,
  });
});

describe("the contents that loadContents loads", () => {
  const input = "  l: {type: 'File[]', loadContents: true}\n  m: {type: 'File[]', loadContents: true, default: []}";
  const largest = "x".repeat(64 * 1024);
  const inspect = async (values: CwlObject) => {
    const files = createMemoryFiles({ "/d/largest": largest });
    let reads = 0;
    const readText = (uri: string, max: number) => ((reads += 1), files.readText(uri, max));
    const { problems } = await inspectInputs(await optionsFor(input, values, { files: { ...files, readText } }));
    return { problems: problems.map(({ code, pointer }) => `${code} ${pointer}`), reads };
  };
  const many = (length: number, more: object = {}) => Array.from({ length }, () => file("largest", more));

  test("fill the limit of one input object", async () =>
    assert.deepEqual(await inspect({ l: many(16) }), { problems: [], reads: 16 }));

  for (const [name, values, expected] of [
    ["named many times", { l: many(18) }, ["limit-exceeded /l/16", "limit-exceeded /l/17"]],
    ["in several inputs", { l: many(8), m: many(9) }, ["limit-exceeded /m/8"]],
    ["with a false size", { l: many(17, { size: 0 }) }, ["limit-exceeded /l/16"]],
  ] as const)
    test(`are not read beyond the limit: files ${name}`, async () =>
      assert.deepEqual(await inspect(values), { problems: expected, reads: 16 }));

  test("fail a job with the name of the limit", async () => {
    const files = createMemoryFiles({ "/d/largest": largest });
    await assert.rejects(bindInputs(await optionsFor(input, { l: many(17) }, { files })), {
      code: "LIMIT_EXCEEDED",
      message:
        "input /l/16: the size of the contents that `loadContents` loads exceeds the limit of 1,048,576 (loaded-content-bytes)",
      hint: "raise the limit with --limit loaded-content-bytes=N if this is intended",
    });
  });
});
