import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { parseYaml } from "./parse-yaml.ts";
import { SourceText } from "./source-text.ts";
import type { YamlNode } from "./yaml-node.ts";
import { stringify } from "yaml";

const parse = (text: string) => parseYaml(new SourceText("file:///d.yml", text));

/** The tree as plain JSON, with keys as `key@line:column`. */
function outline(node: YamlNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "sequence") return node.items.map(outline);
  return Object.fromEntries(
    node.entries.map(({ key, keyNode, value }) => {
      const { line, column } = keyNode.source.positionAt(keyNode.offset);
      return [`${key}@${line}:${column}`, outline(value)];
    }),
  );
}

const TREES: Readonly<Record<string, readonly [string, unknown]>> = {
  "block map": ["a: 1\nb:\n  c: x\n", { "a@1:1": 1, "b@2:1": { "c@3:3": "x" } }],
  "JSON with tabs": ['{\n\t"a": [1.5, null]\n}', { "a@2:2": [1.5, null] }],
  "Windows line ends": ["a: 1\r\nb: 2\r\n", { "a@1:1": 1, "b@2:1": 2 }],
  "a shebang line": ["#!/usr/bin/env cwl-runner\na: 1\n", { "a@2:1": 1 }],
  "quoted numbers are text": ["a: '1'\nb: !!str 2\n", { "a@1:1": "1", "b@2:1": "2" }],
  "core schema, not YAML 1.1": [
    "a: yes\nb: 0x1F\nc: .5\nd: .inf\n",
    { "a@1:1": "yes", "b@2:1": 31, "c@3:1": 0.5, "d@4:1": ".inf" },
  ],
  "whole numbers of 64 bits": [
    "a: 9223372036854775807\nb: -9223372036854775808\nc: 0xFFFFFFFFFFFFFFF\nd: 9223372036854775808\ne: 1e18\nf: 1000000000000000000.0\n",
    {
      "a@1:1": 2n ** 63n - 1n,
      "b@2:1": -(2n ** 63n),
      "c@3:1": 2n ** 60n - 1n,
      "d@4:1": 2 ** 63,
      "e@5:1": 1e18,
      "f@6:1": 1e18,
    },
  ],
  "an alias": ["a: &x [1]\nb: *x\n", { "a@1:1": [1], "b@2:1": [1] }],
  "a line of dashes at the end": ["---\na: 1\n---\n", { "a@2:1": 1 }],
  "a byte order mark": ["\uFEFFa: 1\n", { "a@1:2": 1 }],
  "number-like keys stay as written": ["1.0: a\n", { "1.0@1:1": "a" }],
};

for (const [name, [text, expected]] of Object.entries(TREES))
  test(`parseYaml reads ${name}`, () => {
    const { root, diagnostics } = parse(text);
    assert.deepEqual(diagnostics, []);
    assert.ok(root !== undefined);
    assert.deepEqual(outline(root), expected);
  });

const bomb = [
  "a: &a [x,x,x,x,x,x,x,x,x,x]",
  ..."bcdefg".split("").map((name, index) => `${name}: &${name} [${Array(10).fill(`*${"abcdef"[index]}`).join(",")}]`),
];
const deepAlias = `${Array.from({ length: 20 }, (_, level) => `a${level}: &a${level} ${level === 0 ? "x" : `[[[[*a${level - 1}]]]]`}`).join("\n")}\n`;

const REFUSALS: readonly (readonly [string, string, string])[] = [
  ["nothing", "", "1:1 empty-document"],
  ["comments only", "# hello\n", "1:1 empty-document"],
  ["an open bracket", "a: 1\nb: [1\nc: 2\n", "3:1 yaml-syntax"],
  ["tabs as indentation", "a:\n\tb: 1\n", "2:1 yaml-syntax"],
  ["two documents", "a: 1\n---\nb: 2\n", "3:1 yaml-syntax"],
  ["a key twice", "a: 1\nb: 2\na: 3\n", "3:1 duplicate-key"],
  ["an unknown anchor", "a: *b\n", "1:4 yaml-syntax"],
  ["an anchor in itself", "a: &x [*x]\n", "1:8 yaml-syntax"],
  ["a list as key", "? [a]\n: 1\n", "1:3 yaml-syntax"],
  ["a tag of someone", "a: !python/object x\n", "1:4 yaml-tag"],
  ["too many levels", `${"[".repeat(70)}${"]".repeat(70)}`, "1:64 yaml-syntax"],
  ["aliases of aliases", bomb.join("\n"), "5:29 yaml-limit"],
  ["levels hidden in aliases", deepAlias, "17:15 yaml-limit"],
  ["101 aliases", `a: &a x\nb: [${Array(101).fill("*a").join(",")}]\n`, "2:305 yaml-limit"],
];

for (const [name, text, expected] of REFUSALS)
  test(`parseYaml refuses ${name}`, () => {
    const [first] = parse(text).diagnostics;
    assert.equal(first && `${first.line}:${first.column} ${first.code}`, expected);
  });

const HINTS: readonly (readonly [string, RegExp])[] = [
  ["glob: *.bam\n", /begins with `\*` needs quotation marks/],
  ["label: @me\n", /begins with `@`/],
  ["label: %x\n", /begins with `%`/],
  ["label: !x\n", /begins with `!`/],
  ["label: a: b\n", /a colon followed by a space/],
  ["a:\n\tb: 1\n", /indent with spaces/],
  ["x: {type: File[], default: 1}\n", /"File\[\]"/],
  ['label: "a\nb: 1\n', /is not closed/],
  ["a: 1\n---\nb: 2\n", /\$graph/],
  ["label: caf\uFFFD\n", /as UTF-8/],
];

for (const [text, expected] of HINTS)
  test(`parseYaml says what to try with ${JSON.stringify(text)}`, () =>
    assert.match(parse(text).diagnostics[0]?.hint ?? "", expected));

test("parseYaml refuses more than 16 MiB", () => {
  const [first] = parse("a".repeat(16 * 2 ** 20 + 1)).diagnostics;
  assert.equal(first?.code, "yaml-limit");
});

/** A tree without its positions. */
function plain(node: YamlNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "sequence") return node.items.map(plain);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
}

/** `__proto__` is not a name in a document. */
const tree = fc
  .jsonValue({ stringUnit: "grapheme", maxDepth: 4 })
  .map((value) => parseExactJson(JSON.stringify(value).replaceAll("__proto__", "proto")));

for (const [name, write] of [
  ["JSON", (value: unknown) => JSON.stringify(value, null, 1)],
  ["YAML of another writer", (value: unknown) => stringify(value)],
] as const)
  test(`parseYaml reads back any tree: ${name}`, () =>
    fc.assert(
      fc.property(tree, (value) => {
        const { root } = parse(write(value));
        assert.ok(root !== undefined);
        assert.deepEqual(plain(root), value);
      }),
      { numRuns: 500 },
    ));
