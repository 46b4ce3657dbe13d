import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parseYaml } from "./parse-yaml.ts";
import { SourceText } from "./source-text.ts";
import type { YamlNode } from "./yaml-node.ts";

const parse = (text: string) => parseYaml(new SourceText("file:///d.yml", text));

function plain(node: YamlNode | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.kind === "scalar") return node.value;
  if (node.kind === "sequence") return node.items.map(plain);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
}

/** Text, value, lines that are not indented enough; the values are those of PyYAML. */
const CASES: readonly (readonly [string, unknown, readonly number[]])[] = [
  ["a: [\n  echo\n]\nb: {\n  c: d\n}\n", { a: ["echo"], b: { c: "d" } }, [3, 6]],
  ["x:\n  a: [\n    1,\n  2,\n 3\n]\n  b: 1\n", { x: { a: [1, 2, 3], b: 1 } }, [4, 5, 6]],
  ["a: {b: [\n{c: 1},\n{c: 2}\n]}\nd: e\n", { a: { b: [{ c: 1 }, { c: 2 }] }, d: "e" }, [2, 3, 4]],
  ["a: [ # first\n  1, # one\n# all\n] # end\nb: 2\n", { a: [1], b: 2 }, [4]],
  ["- - [\n  x\n  ]\n- y\n", [[["x"]], "y"], [2, 3]],
  ['a: "one\ntwo\n\nthree"\nb: 1\n', { a: "one two\nthree", b: 1 }, [2, 4]],
  ["x:\n  a: 'it''s\n  two'\n  b: 1\n", { x: { a: "it's two", b: 1 } }, [3]],
  ['a: "one \\\ntwo"\n', { a: "one two" }, [2]],
  ["k: [\"a\nb\", 'c\nd', e\nf]\n", { k: ["a b", "c d", "e f"] }, [2, 3, 4]],
  ["a: [\r\n  1\r\n]\r\nb: |\r\n  [\r\n", { a: [1], b: "[\n" }, [3]],
  ['t: a text\n  [ that "goes\n  on\nu: [\n1]\n', { t: 'a text [ that "goes on', u: [1] }, [5]],
  ['s: |\n  {\n   "\ne: [\n]\n', { s: '{\n "\n', e: [] }, [5]],
  ['a: &x [\n]\nb: *x\nc: !!str "q\nr"\n', { a: [], b: [], c: "q r" }, [2, 5]],
  ["a: [x,\ty]\n", { a: ["x", "y"] }, []],
  ["s:\n  - {in: {a: x},\n  out: [o]}\n", { s: [{ in: { a: "x" }, out: ["o"] }] }, [3]],
  ["'k': [\n]\n\"l\" : {\n}\n? m\n: [\n]\n", { k: [], l: {}, m: [] }, [2, 4, 7]],
  ["a:\n- [\n1\n2]\n", { a: [["1 2"]] }, [3, 4]],
  ["--- [\na\n]\n", ["a"], []],
  ["u: http://e.org/#x [\nv: [\n]\n", { u: "http://e.org/#x [", v: [] }, [3]],
];

for (const [text, value, loose] of CASES) {
  test(`parseYaml accepts any indentation within a flow value: ${JSON.stringify(text)}`, () => {
    const { root, diagnostics, loose: found = [] } = parse(text);
    assert.deepEqual(diagnostics, []);
    assert.deepEqual(plain(root), value);
    const shown = found.map((offset) => root?.source.positionAt(offset).line);
    assert.deepEqual(shown, loose);
  });
}

const REFUSED: readonly string[] = [
  "a: [\n1\nb: 2\n",
  'a: "x\nb: 1\n',
  "a: [1\n---\n2]\n",
  "a: {b: 1\nc: 2}\nd: [\n",
  "a: [\n]\nb: [1\nc: 2\n",
];
for (const text of REFUSED) {
  test(`parseYaml still refuses ${JSON.stringify(text)}`, () => {
    assert.equal(parse(text).diagnostics[0]?.code, "yaml-syntax");
  });
}

test("the indentation of lines within a flow value never changes the value", () => {
  const leaf = fc.oneof(
    fc.integer(),
    fc.boolean(),
    fc.constantFrom("a b", "it's", 'q"', "#x", "", "- x", "a: b", "[", "\n"),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("k", "l m", "n"), tie("tree"), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(
      fc.array(tree, { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(4), { minLength: 7, maxLength: 7 }),
      (values, indents) => {
        let line = 0;
        const json = (value: unknown) =>
          JSON.stringify(value, null, 1).replaceAll(/\n */g, () => `\n${" ".repeat(indents[line++ % 7] ?? 0)}`);
        const text = `x:\n  y:\n${values.map((value) => `    - ${json([value])}\n`).join("")}z: 1\n`;
        assert.deepEqual(plain(parse(text).root), { x: { y: values.map((value) => [value]) }, z: 1 });
      },
    ),
    { numRuns: 300 },
  );
});

/** The values are those of PyYAML. */
const AT_END: readonly (readonly [string, string])[] = [
  ["a: |\n  x", "x"],
  ["a: >\n  x\n  y", "x y"],
  ["a: |+\n  x", "x"],
  ["a: |\n  x\n", "x\n"],
  ["a: |\r\n  x", "x"],
  ["a: |\n  x\n\n", "x\n"],
  ["a: |\n  x\n  ", "x\n"],
  ["a: |\n  x\n   ", "x\n "],
  ["a: |+\n  x\n\n", "x\n\n"],
  ["a: |-\n  x", "x"],
  ["a: |\n", ""],
];
for (const [text, value] of AT_END) {
  test(`parseYaml adds no line break at the end of ${JSON.stringify(text)}`, () => {
    assert.deepEqual(plain(parse(text).root), { a: value });
  });
}
