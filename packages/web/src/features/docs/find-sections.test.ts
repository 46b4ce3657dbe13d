import assert from "node:assert/strict";
import { test } from "node:test";
import { indexSections } from "./find-sections.ts";

const find = indexSections([
  { page: "a", pageTitle: "First", anchor: "", heading: "First", text: "Start here with a file." },
  { page: "a", pageTitle: "First", anchor: "uploads", heading: "Uploads", text: "A file is sent in one piece." },
  { page: "b", pageTitle: "Second", anchor: "file-names", heading: "File names", text: "They stay. weft serve" },
  { page: "c", pageTitle: "Third", anchor: "", heading: "Third", text: "A job that failed." },
  { page: "adr/1", pageTitle: "Name files", anchor: "", heading: "Name files", text: "file" },
]);

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ["file", ["b#file-names", "a#", "a#uploads", "adr/1#"]],
  ["file PIECE", ["a#uploads"]],
  ["upl", ["a#uploads"]],
  ["uplods", ["a#uploads"]],
  ["weft serve", ["b#file-names"]],
  ["failed", ["c#"]],
  ["nothing", []],
  ["  ", []],
];
for (const [words, expected] of CASES)
  test(`"${words}" finds ${expected.join(", ") || "nothing"}`, () => {
    const { hits, total } = find(words);
    const places = hits.map(({ page, anchor }) => `${page}#${anchor}`);
    assert.deepEqual([places.toSorted(), total], [expected.toSorted(), expected.length]);
  });

test("words with signs are marked, also in browsers without RegExp.escape", (t) => {
  t.mock.method(RegExp, "escape", () => assert.fail("Firefox before 134 and Safari before 18.2 lack it"));
  const text = "Use a$b and c^d|e, not ab.";
  const signs = indexSections([{ page: "a", pageTitle: "A", anchor: "", heading: "A", text }]);
  const marked = (words: string) => signs(words).hits[0]?.excerpt.flatMap((part) => (part.isMatch ? part.text : []));
  assert.deepEqual([marked("a$b"), marked("c^d|e")], [["a$b"], ["c^d|e"]]);
});

test("headings come first, decisions last", () => {
  const pages = find("file").hits.map(({ page }) => page);
  assert.deepEqual([pages[0], pages.at(-1)], ["b", "adr/1"]);
});

test("excerpts mark the matches, and are as short as possible", () => {
  const text = `${"word ".repeat(100)}(a needle) ${"more ".repeat(100)}`;
  const long = indexSections([{ page: "a", pageTitle: "A", anchor: "", heading: "A", text }]);
  const excerpt = long("needle").hits[0]?.excerpt ?? [];
  const marked = excerpt.filter(({ isMatch }) => isMatch);
  assert.deepEqual(marked, [{ text: "needle", isMatch: true }]);
  const shown = excerpt.map((part) => part.text).join("");
  assert.ok(shown.startsWith("…word") && shown.endsWith("…") && shown.length < 170, shown);
});
