import { expect, test } from "vitest";
import { type DiffLine, diffLines, foldSameLines } from "./line-diff.tsx";

/** ` a` is in both, `-a` in the first, `+a` in the second. */
function signed(before: string, after: string): string {
  const signs = { same: " ", removed: "-", added: "+" } as const;
  const lines = diffLines([...before], [...after]) ?? [];
  assertRebuilds(lines, before, after);
  return lines.map(({ kind, text }) => signs[kind] + text).join("");
}

/** Line numbers refer to the right lines, in order and without gaps. */
function assertRebuilds(lines: readonly DiffLine[], before: string, after: string): void {
  const old = lines.filter((line) => line.kind !== "added");
  const fresh = lines.filter((line) => line.kind !== "removed");
  expect(old.map(({ text }) => text).join("")).toBe(before);
  expect(fresh.map(({ text }) => text).join("")).toBe(after);
  expect(old.every((line, place) => line.before === place + 1)).toBe(true);
  expect(fresh.every((line, place) => line.after === place + 1)).toBe(true);
}

const CASES: readonly (readonly [before: string, after: string, changes: number])[] = [
  ["", "", 0],
  ["abc", "abc", 0],
  ["", "ab", 2],
  ["ab", "", 2],
  ["abc", "axc", 2],
  ["abcabba", "cbabac", 5],
  ["abcd", "bcda", 2],
  ["aaaa", "aa", 2],
  ["xaxbxc", "abc", 3],
  ["abc", "xyz", 6],
];

for (const [before, after, changes] of CASES)
  test(`"${before}" to "${after}" takes ${changes} changes`, () => {
    expect([...signed(before, after).matchAll(/[-+]/g)].length).toBe(changes);
  });

test("added and removed lines keep their places", () => {
  expect(signed("abcdef", "abXdef")).toBe(" a b-c+X d e f");
});

test("the diffs of a hundred random pairs turn one text into the other", () => {
  let seed = 7;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const word = (): string => Array.from({ length: next(30) }, () => "abc"[next(3)]).join("");
  for (let n = 0; n < 100; n += 1) signed(word(), word());
});

test("very different texts are not compared", () => {
  const lines = (start: string): string[] => Array.from({ length: 1500 }, (_, n) => `${start} ${n}`);
  expect(diffLines(lines("a"), lines("b"))).toBe(undefined);
});

test("equal lines further than three from a change are counted instead", () => {
  const before = Array.from({ length: 20 }, (_, n) => `line ${n}`);
  const after = before.with(10, "another");
  const shown = foldSameLines(diffLines(before, after) ?? []);
  const kinds = shown.map((line) => (line.kind === "folded" ? line.count : line.kind));
  expect(kinds).toEqual([7, "same", "same", "same", "removed", "added", "same", "same", "same", 6]);
});

test("equal texts are one fold", () => {
  expect(foldSameLines(diffLines(["a", "b"], ["a", "b"]) ?? [])).toEqual([{ kind: "folded", count: 2 }]);
});
