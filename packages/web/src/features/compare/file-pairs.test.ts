import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileValue } from "../../format/value-text.ts";
import type { ComparedThing } from "./compare-runs.ts";
import { differsInLineEndsOnly, isText, MAX_TEXT_BYTES, filePairs } from "./file-pairs.ts";

const file = (basename: string, size: number | undefined = 10): FileValue => ({ class: "File", basename, size });

function output(files: readonly (FileValue | undefined)[], change: Partial<ComparedThing> = {}): ComparedThing {
  const differs = files.map((_, place) => place > 0);
  return {
    section: "Outputs",
    name: "table",
    sides: files.map(() => ""),
    changes: [],
    differs,
    files,
    isSame: false,
    ...change,
  };
}

test("filePairs offers files that differ and can be looked at side by side", () => {
  const text = file("a.csv");
  const cases: [what: string, ComparedThing, string[]][] = [
    ["a table", output([text, file("b.csv")]), ["B text"]],
    [
      "of four runs those that differ",
      output([text, text, text, text], { differs: [false, true, false, true] }),
      ["B text", "D text"],
    ],
    ["a name that says nothing", output([file("Makefile"), file("Makefile")]), ["B text"]],
    ["the largest that is read", output([file("a.txt", MAX_TEXT_BYTES), text]), ["B text"]],
    ["one that is too large", output([file("a.txt", MAX_TEXT_BYTES + 1), text]), []],
    ["one whose size is not known", output([{ class: "File", basename: "a.txt" }, text]), []],
    ["a picture", output([file("a.png"), file("b.PNG")]), ["B image"]],
    ["a picture and a text", output([file("a.png"), file("a.txt")]), []],
    ["a picture that is too large", output([file("a.png", 1e9), file("a.png")]), []],
    ["a volume", output([file("a.nii.gz"), file("a.nii.gz")]), ["B volume"]],
    ["a packed file", output([file("a.tar.gz"), file("a.tar.gz")]), []],
    ["a folder", output([{ ...text, class: "Directory" }, text]), []],
    ["one that only one run has", output([undefined, text]), []],
    ["what is the same", output([text, text], { isSame: true }), []],
    ["an input", output([text, text], { section: "Inputs" }), []],
  ];
  for (const [what, thing, expected] of cases)
    assert.deepEqual(
      filePairs(thing).map(({ mark, kind }) => `${mark} ${kind}`),
      expected,
      what,
    );
});

test("isText tells texts from other bytes that were read as UTF-8", () => {
  const read = (...bytes: number[]): boolean => isText(new TextDecoder().decode(Uint8Array.from(bytes)));
  assert.equal(read(0x61, 0xc3, 0xa4, 0x0a), true);
  assert.equal(read(), true);
  assert.equal(read(0x61, 0x00), false);
  assert.equal(read(0x1f, 0x8b, 0x08), false);
});

test("differsInLineEndsOnly sees through other systems' lines", () => {
  const cases: [string, string, boolean][] = [
    ["a\nb\n", "a\r\nb\r\n", true],
    ["a\nb\n", "a\nb", true],
    ["a\n", "a\n", false],
    ["a\n", "b\n", false],
    ["a\n\n", "a", false],
  ];
  for (const [a, b, expected] of cases) assert.equal(differsInLineEndsOnly(a, b), expected, JSON.stringify([a, b]));
});
