import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { memoryDocumentReader } from "@weft/cwl/document/memory-document-reader.ts";
import { readToolTest } from "./read-tool-test.ts";

const URI = "file:///c/tools/t/1/tests/one.yml";

function read(text: string, more: { readonly [uri: string]: string } = {}) {
  return readToolTest(URI, { reader: memoryDocumentReader({ [URI]: text, ...more }) });
}

async function checksOf(outputs: string) {
  const { test, diagnostics } = await read(`outputs:\n  o: ${outputs}\n`);
  assert.deepEqual(diagnostics, []);
  return test?.checks.map(({ path, expected }) => [path.slice(1), expected]);
}

describe("a test", () => {
  it("takes inputs directly or from an input object", async () => {
    const inline = await read("inputs: {n: 1, f: {class: File, path: ../a.txt}}\noutputs: {o: 1}\n");
    assert.deepEqual(structuredClone(inline.test?.inputs), {
      n: 1,
      f: { class: "File", location: "file:///c/tools/t/1/a.txt" },
    });
    const named = await read("inputs: ../examples/e.yml\noutputs: {o: 1}\n", {
      "file:///c/tools/t/1/examples/e.yml": "n: 2\n",
    });
    assert.deepEqual({ ...named.test?.inputs }, { n: 2 });
  });

  it("expects values, lists item by item, and files by their parts", async () => {
    const exact = { absolute: 0, relative: 0 };
    assert.deepEqual(await checksOf("3"), [[[], { kind: "value", value: 3, margin: exact }]]);
    assert.deepEqual(await checksOf("null"), [[[], { kind: "value", value: null, margin: exact }]]);
    assert.deepEqual(await checksOf("{value: 3, absolute: 0.5}"), [
      [[], { kind: "value", value: 3, margin: { absolute: 0.5, relative: 0 } }],
    ]);
    assert.deepEqual(await checksOf("[a]"), [
      [[], { kind: "count", range: { min: 1, max: 1 } }],
      [[{ kind: "item", index: 0 }], { kind: "value", value: "a", margin: exact }],
    ]);
    assert.deepEqual(await checksOf("{size: {min: 2}, contains: [x], json: {/a/0: 1}, image: e.png}"), [
      [[], { kind: "size", range: { min: 2, max: Number.POSITIVE_INFINITY } }],
      [[], { kind: "contains", text: "x" }],
      [[], { kind: "json", pointer: "/a/0", value: 1, margin: exact }],
      [[], { kind: "image", location: "file:///c/tools/t/1/tests/e.png", tolerance: 0, outliers: 0 }],
    ]);
    assert.deepEqual(await checksOf("{each: {class: File}, files: {a.txt: {lines: 1}}}"), [
      [[{ kind: "each" }], { kind: "class", name: "File" }],
      [[{ kind: "entry", name: "a.txt" }], { kind: "lines", range: { min: 1, max: 1 } }],
    ]);
  });

  it("remembers where a value is written", async () => {
    const text = "outputs:\n  o: { size: 12 } # twelve\n";
    const { test } = await read(text);
    const { line, column, span = { start: 0, end: 0 } } = test?.checks[0]?.at ?? { line: 0, column: 0 };
    assert.deepEqual([line, column, text.slice(span.start, span.end)], [2, 14, "12"]);
  });

  const WRONG: readonly (readonly [string, string, RegExp])[] = [
    ["an unknown field", "output: {o: 1}\n", /1:1 unknown field `output`.*outputs/],
    ["an unknown check", "outputs: {o: {sise: 1}}\n", /1:15 outputs\.o: unknown field `sise`.*size/],
    ["a checksum of another kind", "outputs: {o: {checksum: 'md5$1'}}\n", /sha1\$/],
    ["an invalid pattern", "outputs: {o: {matches: '('}}\n", /Invalid regular expression/],
    ["a JSON path that is not a pointer", "outputs: {o: {json: {a.b: 1}}}\n", /starts with `\/`.*\/a\/b/],
    ["a tolerance above 1", "outputs: {o: {image: {file: a.png, tolerance: 2}}}\n", /0 to 1/],
    ["a margin without a value", "outputs: {o: {absolute: 1}}\n", /belong to a `value`/],
    ["no check of a value", "outputs: {o: {}}\n", /nothing is expected/],
    ["an exit code out of range", "fails: 256\n", /exit code from 1 to 255/],
    ["a failure with outputs", "fails: true\noutputs: {o: 1}\n", /cannot expect `outputs`/],
    ["a message without a failure", "message: x\noutputs: {o: 1}\n", /`fails: true`/],
    ["a limit of zero", "max_seconds: 0\n", /above 0/],
    ["a missing input object", "inputs: ../nope.yml\noutputs: {o: 1}\n", /no input object at `\.\.\/nope\.yml`/],
    ["a list", "- 1\n", /a map with `inputs` and `outputs`/],
    ["a text that is not YAML", "outputs: [\n", /not valid YAML/],
    ["very deep nesting", `outputs: {o: ${"{fields: {a: ".repeat(300)}1${"}}".repeat(300)}}\n`, /maxDepth/],
  ];
  for (const [name, text, expected] of WRONG)
    it(`is refused for ${name}`, async () => {
      const { test, diagnostics } = await read(text);
      const printed = diagnostics.map(({ line, column, message, hint = "" }) => `${line}:${column} ${message} ${hint}`);
      assert.match(printed.join("\n"), expected);
      assert.equal(test, undefined);
    });

  it("gets a warning if it only expects success", async () => {
    const { test, diagnostics } = await read("inputs: {n: 1}\n");
    assert.notEqual(test, undefined);
    const found = diagnostics.map(({ severity, code }) => [severity, code]);
    assert.deepEqual(found, [["warning", "expects-nothing"]]);
  });
});
