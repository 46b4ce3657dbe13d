import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { memoryDocumentReader } from "@weft/cwl/document/memory-document-reader.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { OutputFiles } from "./judge-content.ts";
import { judgeToolTest, type TestOutcome } from "./judge-tool-test.ts";
import { readToolTest } from "./read-tool-test.ts";
import { updateToolTest } from "./update-tool-test.ts";
import { writeToolTest } from "./write-tool-test.ts";

const URI = "file:///t/tests/one.yml";

const TEXTS: Readonly<Record<string, string>> = {
  "file:///out/a.txt": "one\ntwo\n",
  "file:///out/a.json": '{"mean": 4.21, "list": [{"n": "x"}], "gone": null}',
};

/** The difference between two images, in percent, is that between their first bytes. */
const files: OutputFiles = {
  readText: async ({ location = "" }) => TEXTS[location] ?? assert.fail(`${location} cannot be read`),
  readImage: async (location) => new Uint8Array([TEXTS[location] === undefined ? 100 : 111]),
  matches: async (pattern, text) => new RegExp(pattern, "m").test(text),
  compareImages: async ([a = 0], [b = 0]) => Math.abs(a - b) / 100,
};

const FILE = {
  class: "File",
  location: "file:///out/a.txt",
  basename: "a.txt",
  size: 8,
  checksum: "sha1$0123456789012345678901234567890123456789",
};
const JSON_FILE = { class: "File", location: "file:///out/a.json", basename: "a.json" };

async function judge(text: string, outcome: object) {
  const { test, diagnostics } = await readToolTest(URI, { reader: memoryDocumentReader({ [URI]: text }) });
  if (test === undefined) assert.fail(diagnostics.map(({ message }) => message).join("\n"));
  const whole: TestOutcome = { outputs: {}, exitCode: null, message: "", maxRssBytes: null, runningMs: 0, ...outcome };
  return judgeToolTest(test, whole, files);
}

async function messagesOf(expected: string, value: unknown): Promise<string[]> {
  const unmet = await judge(`outputs: {o: ${expected}}\n`, { outputs: { o: value } });
  return unmet.map(({ part, message }) => `${part}: ${message}`);
}

describe("the expectation of an output", () => {
  const MET: readonly (readonly [string, unknown])[] = [
    ["1", 1],
    ["null", null],
    ["{value: {a: [1, x]}}", { a: [1, "x"] }],
    ["{value: 10, relative: 0.1}", 9],
    ["{value: [1.0, 2.0], absolute: 0.1}", [1.05, 1.95]],
    ["[{basename: a.txt}]", [FILE]],
    ["{class: File, basename: a.txt, size: 8, lines: 2}", FILE],
    ["{size: {min: 1, max: 9}, contains: [one, two], not_contains: three, matches: '^two$'}", FILE],
    ['{contents: "one\\ntwo\\n"}', FILE],
    ["{json: {/mean: {value: 4.2, absolute: 0.02}, /list/0/n: x, /gone: null}}", JSON_FILE],
    ["{image: {file: e.png, outliers: 0.2}}", { ...JSON_FILE, location: "file:///out/a.txt" }],
    ["{each: {class: File}, count: {min: 1}}", [FILE, FILE]],
    [
      "{class: Directory, count: 1, files: {a.txt: {lines: 2}}}",
      { class: "Directory", basename: "d", listing: [FILE] },
    ],
    ["{fields: {f: {size: 8}, n: 1}}", { f: FILE, n: 1 }],
    ["{secondary_files: {a.txt: {size: 8}}}", { ...JSON_FILE, secondaryFiles: [FILE] }],
  ];
  for (const [expected, value] of MET)
    it(`is met: ${expected}`, async () => assert.deepEqual(await messagesOf(expected, value), []));

  const UNMET: readonly (readonly [string, unknown, readonly string[]])[] = [
    ["1", 2, ["outputs.o: is 2, expected 1"]],
    ["1", "1", ['outputs.o: is "1", expected 1']],
    ["{value: 10, relative: 0.1}", 8, ["outputs.o: is 8, expected 10 ± 10%"]],
    ["{value: {a: [1]}}", { a: [1, 2] }, ["outputs.o: a[1] is 2, expected nothing"]],
    ["[1, 2]", [1], ["outputs.o.count: has 1 entry, expected 2"]],
    ["{size: 9}", FILE, ["outputs.o.size: has 8 bytes, expected 9"]],
    ["{lines: {min: 3}}", FILE, ["outputs.o.lines: has 2 lines, expected at least 3"]],
    ["{contains: zwei}", FILE, ['outputs.o.contains: does not contain "zwei"']],
    ["{not_contains: two}", FILE, ['outputs.o.not_contains: contains "two"']],
    ["{matches: '^wo'}", FILE, ["outputs.o.matches: does not match /^wo/"]],
    ["{class: Directory}", FILE, ["outputs.o.class: is a File, expected a Directory"]],
    ["{lines: 1}", 7, ["outputs.o.lines: is the number 7, expected a File"]],
    [
      "{json: {/mean: 4, /nope: 1}}",
      JSON_FILE,
      ["outputs.o.json/mean: is 4.21, expected 4", "outputs.o.json/nope: is missing"],
    ],
    ["{lines: 1}", { ...FILE, location: "file:///out/none" }, ["outputs.o.lines: file:///out/none cannot be read"]],
    [
      "{files: {b.txt: {lines: 1}}}",
      { class: "Directory", listing: [FILE] },
      ["outputs.o: has no `b.txt`; it has a.txt"],
    ],
    [
      "{image: {file: e.png, outliers: 0.02}}",
      FILE,
      ["outputs.o.image: 11% of the values are further than 0 from the expected image; at most 2% may be"],
    ],
    ["{each: {size: 8}}", [FILE, { ...FILE, size: 7 }], ["outputs.o[1].size: has 7 bytes, expected 8"]],
  ];
  for (const [expected, value, messages] of UNMET)
    it(`is not met: ${expected} by ${JSON.stringify(value).slice(0, 30)}`, async () =>
      assert.deepEqual(await messagesOf(expected, value), messages));

  it("is not met without the output", async () => {
    const unmet = await judge("outputs: {o: 1}\n", { outputs: { toString: 1 } });
    const found = unmet.map(({ message }) => message);
    assert.deepEqual(found, ["there is no output `o`"]);
  });

  it("reports a file that is not JSON", async () => {
    const [message = ""] = await messagesOf("{json: {/a: 1}}", FILE);
    assert.match(message, /JSON/);
  });
});

describe("the expectation of a run", () => {
  const failed = { outputs: undefined, exitCode: 3, message: "Job x failed" };
  const ENDS: readonly (readonly [string, object, RegExp | undefined])[] = [
    ["outputs: {o: 1}\n", failed, /^the run failed: Job x failed$/],
    ["fails: true\n", failed, undefined],
    ["fails: 3\nmessage: Job x\n", failed, undefined],
    ["fails: 4\n", failed, /exit code 3, expected exit code 4/],
    ["fails: 4\n", { ...failed, exitCode: null }, /without an exit code \(Job x failed\)/],
    ["fails: true\nmessage: Job y\n", failed, /the message is "Job x failed"/],
    ["fails: true\n", { outputs: {} }, /succeeded, expected a failure/],
    ["max_seconds: 2\n", { runningMs: 1900 }, undefined],
    ["max_seconds: 2\n", { runningMs: 2100 }, /took 2\.1 s \(limit: 2\)/],
    ["max_memory_mib: 10\n", { maxRssBytes: 10 * 2 ** 20 }, undefined],
    ["max_memory_mib: 10\n", { maxRssBytes: 10 * 2 ** 20 + 1 }, /used 11 MiB \(limit: 10\)/],
  ];
  for (const [text, outcome, pattern] of ENDS)
    it(`judges ${text.trim().replace("\n", ", ")}: ${pattern === undefined ? "met" : String(pattern)}`, async () => {
      const unmet = await judge(text, outcome);
      if (pattern === undefined) assert.deepEqual(unmet, []);
      else assert.match(unmet.map(({ message }) => message).join("\n"), pattern);
    });
});

describe("a test that is updated", () => {
  it("keeps everything but the values that differ", async () => {
    const text = `# why\noutputs:\n  o: { size: 1, lines: 2, checksum: sha1$${"0".repeat(40)} } # note\n  n: 5\n  s: "x"\n`;
    const unmet = await judge(text, { outputs: { o: FILE, n: 6, s: "it's" } });
    const updated = updateToolTest(text, URI, unmet);
    const expected = `# why\noutputs:\n  o: { size: 8, lines: 2, checksum: ${FILE.checksum} } # note\n  n: 6\n  s: "it's"\n`;
    assert.deepEqual(updated, { text: expected, left: [] });
  });

  it("leaves values that vary to the user", async () => {
    const text = "outputs: {o: {contains: x, size: {min: 9}}, l: [1, 2]}\n";
    const unmet = await judge(text, { outputs: { o: FILE, l: [1] } });
    const updated = updateToolTest(text, URI, unmet);
    assert.equal(updated.text, text);
    assert.equal(updated.left.map(({ part }) => part).join(" "), "outputs.o.contains outputs.o.size outputs.l.count");
  });
});

describe("a test that is written from a run", () => {
  it("passes with the outputs of the run", async () => {
    const outputs = {
      f: { ...FILE, secondaryFiles: [JSON_FILE] },
      list: [FILE, null],
      record: { a: 1, b: [true] },
      mixed: { f: FILE },
      folder: { class: "Directory", basename: "d", listing: [FILE] },
      text: "a: b",
      none: null,
    } as unknown as CwlObject; // as an engine returns it
    const text = writeToolTest({ origin: "From run\n1", inputs: { n: 1 }, outputs });
    assert.match(text, /^# From run 1\n/);
    assert.deepEqual((parse(text) as { inputs: unknown }).inputs, { n: 1 });
    assert.deepEqual(await judge(text, { outputs }), []);
    assert.notDeepEqual(await judge(text, { outputs: { ...outputs, none: 1 } }), []);
  });
});
