import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { inputDifference, MAX_COMPARED } from "./explain-miss.ts";

const file = (basename: string, checksum: string, more: object = {}): CwlValue => ({
  ...{ class: "File", basename, checksum: `sha1$${checksum}`, ...more },
});
const folder = (basename: string): CwlValue => ({ class: "Directory", basename });

/** A file with an index that has this checksum. */
const indexed = (checksum: string) => file("a.bam", "1", { secondaryFiles: [file("a.bai", checksum)] });

describe("inputDifference", () => {
  const cases: Readonly<Record<string, readonly [CwlValue, CwlValue, string]>> = {
    numbers: [0.5, 0.7, "0.5 → 0.7"],
    "a text and nothing": ["a", null, '"a" → null'],
    "a long text": ["x".repeat(100), "y", `"${"x".repeat(39)}… → "y"`],
    contents: [file("a.nii.gz", "1"), file("a.nii.gz", "2"), "a.nii.gz changed"],
    names: [file("a.nii.gz", "1"), file("b.nii.gz", "1"), "a.nii.gz → b.nii.gz"],
    "a name that is only in the address": [{ class: "File", location: "file:///x/a%20b" }, folder("c"), "a b → c"],
    "folders, of which nothing else is known": [folder("sub-01"), folder("sub-01"), "sub-01 changed"],
    "secondary files": [indexed("2"), indexed("3"), "a.bam: its secondary file a.bai changed"],
    "a secondary file that is gone": [indexed("2"), file("a.bam", "1"), "a.bam: its secondary file a.bai is gone"],
    "the format": [file("a", "1", { format: "f" }), file("a", "1"), "a has another format (f → none)"],
    "one of a list": [[file("a", "1"), file("b", "2")], [file("a", "1"), file("b", "3")], "b changed"],
    "two of a list": [[1, 2, 3], [1, 4, 5], "2 → 4 (and 1 more)"],
    "the length of a list": [[1], [1, 2], "1 element → 2 elements"],
    "a list that looks the same": [[folder("a")], [folder("a")], "changed"],
    "a field of a record": [{ a: 1, b: 2 }, { a: 1, b: 3 }, "b: 2 → 3"],
    kinds: [file("a", "1"), [file("a", "1")], "a → 1 element"],
    "the contents of a file, not its location": [
      file("a", "1", { location: "file:///1/a" }),
      file("a", "2"),
      "a changed",
    ],
  };
  for (const [name, [before, now, expected]] of Object.entries(cases))
    it(`reports ${name}`, () => assert.equal(inputDifference(before, now), expected));

  it("compares a bounded part of a huge input, and says so", () => {
    const length = 2 * MAX_COMPARED;
    const many = (last: CwlValue): readonly CwlValue[] => [...Array.from({ length }, () => 1), last];
    const early = (second: number): CwlValue => [0, second, 3, ...many(1)];
    const wide = (last: number): CwlValue =>
      Object.fromEntries(Array.from({ length }, (_, n) => [`f${n}`, n < MAX_COMPARED ? 0 : last]));
    for (const [before, now, found, compared] of [
      [many(1), many(2), "changed", "10000 of 20001 elements"],
      [early(1), early(2), "1 → 2", "10000 of 20004 elements"],
      [wide(1), wide(2), "changed", "10000 of 20000 fields"],
      [[many(1), 1], [many(2), 1], "changed", "1 of 2 elements"],
    ] as const)
      assert.equal(inputDifference(before, now), `${found} (only the first ${compared} were compared)`);
  });
});
