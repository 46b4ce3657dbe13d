import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hoverAt } from "./hover.ts";
import { definitionAt, referencesAt, renameAt } from "./navigate.ts";
import { symbolsIn } from "./symbols.ts";
import { afterEdits, analysisOf, edited, NETWORK, TOOL } from "./testing/edited-text.ts";

/** The document with the cursor in front of a text. */
const files = (where: "net.cwl" | "sort.cwl", before: string) => {
  const all = { "net.cwl": NETWORK, "sort.cwl": TOOL };
  assert.ok(all[where].includes(before), before);
  return { ...all, [where]: all[where].replace(before, `‸${before}`) };
};

const DEFINITIONS: readonly (readonly [
  name: string,
  where: "net.cwl" | "sort.cwl",
  before: string,
  expected: string,
])[] = [
  ["a source", "net.cwl", "samples\n      level", "net.cwl:5:3"],
  ["the step of a source", "net.cwl", "order/sorted", "net.cwl:10:3"],
  ["the output of a source", "net.cwl", "sorted}", "sort.cwl:9:3"],
  ["an input of a step", "net.cwl", "reads: samples", "sort.cwl:6:3"],
  ["an input that is scattered", "net.cwl", "reads\n", "sort.cwl:6:3"],
  ["an output of a step", "net.cwl", "sorted]", "sort.cwl:9:3"],
  ["what a step runs", "net.cwl", "sort.cwl", "sort.cwl:1:1"],
  ["an input in an expression of a step", "net.cwl", "level)}", "sort.cwl:7:3"],
  ["an input in a parameter reference", "sort.cwl", "reads.nameroot", "sort.cwl:6:3"],
  ["an input in JavaScript", "sort.cwl", "level + ", "sort.cwl:7:3"],
  ["an input in brackets", "sort.cwl", "level']", "sort.cwl:7:3"],
];

describe("go to definition", () => {
  for (const [name, where, before, expected] of DEFINITIONS)
    test(name, async () => {
      const texts = edited(files(where, before));
      const found = definitionAt(await analysisOf(texts), texts.position);
      const shown = found.map(
        ({ uri, start }) => `${uri.slice("file:///w/".length)}:${start.line + 1}:${start.character + 1}`,
      );
      assert.deepEqual(shown, [expected]);
    });
});

test("references of a tool's input are found in the networks that run it", async () => {
  const texts = edited(files("sort.cwl", "level: {"));
  const network = await analysisOf({ ...texts, uri: "file:///w/net.cwl" });
  const found = referencesAt(await analysisOf(texts), texts.position, [network]);
  const actual = found.map(({ range }) => `${range.uri.slice("file:///w/".length)}:${range.start.line + 1}`).toSorted();
  assert.deepEqual(actual, ["net.cwl:15", "net.cwl:15", "sort.cwl:10", "sort.cwl:10", "sort.cwl:7"]);
});

const RENAMES: Readonly<
  Record<
    string,
    readonly [where: "net.cwl" | "sort.cwl", before: string, changes: readonly (readonly [string, string, string])[]]
  >
> = {
  "an input of a tool": [
    "sort.cwl",
    "level: {",
    [
      ["sort.cwl", "level", "fresh"],
      ["net.cwl", "      level:", "      fresh:"],
      ["net.cwl", "inputs.level", "inputs.fresh"],
    ],
  ],
  "a step": ["net.cwl", "order:", [["net.cwl", "order", "fresh"]]],
  "an output": [
    "net.cwl",
    "sorted]",
    [
      ["sort.cwl", "sorted:", "fresh:"],
      ["net.cwl", "sorted", "fresh"],
    ],
  ],
  "an input of a network": ["net.cwl", "samples: File", [["net.cwl", "samples", "fresh"]]],
};

describe("rename", () => {
  for (const [name, [where, before, changes]] of Object.entries(RENAMES))
    test(name, async () => {
      const texts = edited(files(where, before));
      const network = await analysisOf({ ...texts, uri: "file:///w/net.cwl" });
      const renaming = renameAt(await analysisOf(texts), texts.position, "fresh", [network]);
      assert.ok("edits" in renaming);
      const expected: Record<string, string> = { "net.cwl": NETWORK, "sort.cwl": TOOL };
      for (const [file, from, to] of changes) expected[file] = expected[file]?.replaceAll(from, to) ?? "";
      assert.deepEqual(afterEdits(texts.texts, renaming.edits), expected);
    });

  for (const [newName, refusal] of [
    ["two words", /not a name/],
    ["reads", /already/],
  ] as const)
    test(`refuses ${newName}`, async () => {
      const texts = edited(files("sort.cwl", "level: {"));
      const renaming = renameAt(await analysisOf(texts), texts.position, newName, []);
      assert.match("refusal" in renaming ? renaming.refusal : "", refusal);
    });
});

const HOVERS: readonly (readonly [name: string, where: "net.cwl" | "sort.cwl", before: string, expected: RegExp])[] = [
  ["a field", "sort.cwl", "baseCommand", /\*\*baseCommand\*\* \(text or list\)\n\nThe program/],
  ["a field with a default", "sort.cwl", "position: 1", /default `0`/],
  ["a requirement", "sort.cwl", "InlineJavascriptRequirement", /Allows JavaScript/],
  ["a type", "sort.cwl", "File, doc", /A file with its secondary files/],
  ["an input with its description", "sort.cwl", "reads: {", /input `reads` of sort: File\n\nThe reads to sort\./],
  ["an input with its default", "net.cwl", "level: {", /level` of sort: int, default `3`/],
  ["the type of a source", "net.cwl", "sorted}", /as source `order\/sorted`: File\[\]/],
  ["a step", "net.cwl", "order:", /step `order` runs CommandLineTool `sort`/],
  ["a part of an expression", "sort.cwl", "nameroot", /`inputs\.reads\.nameroot`: string/],
];

describe("hover", () => {
  for (const [name, where, before, expected] of HOVERS)
    test(name, async () => {
      const texts = edited(files(where, before));
      assert.match(hoverAt(await analysisOf(texts), texts.position) ?? "", expected);
    });
});

test("symbols are processes with inputs, steps and outputs", async () => {
  const symbols = symbolsIn(await analysisOf(edited(files("net.cwl", "class"))));
  assert.deepEqual(
    symbols.map(({ name, detail, children }) => [
      name,
      detail,
      children.map((child) => `${child.kind} ${child.name}: ${child.detail}`),
    ]),
    [["net", "Workflow", ["input samples: File[]", "input depth: int", "step order: sort", "output all: File[]"]]],
  );
});
