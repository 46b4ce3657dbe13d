import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { catalogFolder } from "./documents.ts";
import { completed, runTool, temporaryFolder } from "./run-tool.ts";

const shipped = ["lighthouse", "orchard", "ferry", "clock"].map((name) =>
  join(catalogFolder, `data/texts/${name}.txt`),
);
const stopWords = join(catalogFolder, "data/texts/stop-words.txt");

function textFile(contents: string | Buffer, name = "text.txt"): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, contents);
  return path;
}

/** latin1 gives every byte a letter of its own, as the tools with LC_ALL=C see it. */
function wordsOf(path: string): string[] {
  const bytes = readFileSync(path, "latin1").replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return bytes.match(/[a-z'\u0080-\u00ff]+/g) ?? [];
}

const split = (text: string) => completed("split-words/1.0.0", { text }).output("words");
const sorted = (text: string) => completed("sort-lines/1.0.0", { lines: split(text) }).output("sorted");

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  words.forEach((word) => counts.set(word, (counts.get(word) ?? 0) + 1));
  return counts;
}

function ranked(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].toSorted(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1));
}

const TEXTS: readonly (readonly [string, string])[] = [
  ["an empty text", ""],
  ["no words at all", " 12, 34!\n\n"],
  ["a text without a last line feed", "One two"],
  ["leading blanks and digits", "  \n3 apples, 4 PEARS\n"],
  ["apostrophes and UTF-8", "Don't go to the café, it's über-full\n"],
];

for (const [name, contents] of TEXTS) {
  test(`words are split the same way by another method: ${name}`, () => {
    const text = textFile(contents);
    const expected = wordsOf(text)
      .map((word) => `${word}\n`)
      .join("");
    assert.equal(readFileSync(split(text), "latin1"), expected);
  });
}

test("frequencies equal counts in a Map", () => {
  const text = shipped[3] ?? "";
  const { output } = completed("rank-lines/1.0.0", { lines: sorted(text) });
  const expected = ranked(counted(wordsOf(text))).map(([word, count]) => `${count} ${word}\n`);
  assert.equal(readFileSync(output("ranked"), "latin1"), expected.join(""));
});

for (const stops of [undefined, stopWords]) {
  test(`the table of all texts equals counts in a Map ${stops === undefined ? "of all words" : "without stop words"}`, () => {
    const inputs = { words: shipped.map(sorted), top: 12, ...(stops && { stop_words: stops }) };
    const result = completed("top-words/1.0.0", inputs);
    const left = new Set(stops === undefined ? [] : readFileSync(stops, "latin1").split("\n"));
    const texts = shipped.map((text) => new Set(wordsOf(text)));
    const rows = ranked(counted(shipped.flatMap(wordsOf).filter((word) => !left.has(word)))).slice(0, 12);
    const expected = rows.map(
      ([word, count], index) => `${index + 1},${word},${count},${texts.filter((one) => one.has(word)).length}\n`,
    );
    assert.equal(readFileSync(result.output("table"), "latin1"), `rank,word,count,texts\n${expected.join("")}`);
  });
}

test("an invalid number of rows is refused", () => {
  const { exitCode, stderr } = runTool("top-words/1.0.0", { words: shipped.map(sorted), top: -1 });
  assert.deepEqual([exitCode, stderr], [1, 'top: "-1" is not a number of rows\n']);
});

test("counts of lines, words and bytes", () => {
  const text = textFile("a b\nc  d\te\n");
  const result = runTool("count-text/1.0.0", { text });
  assert.deepEqual(result.text("lines").trim().split(/ +/), ["2", "5", "11"]);
});

test("texts are joined in order under the requested name", () => {
  const texts = [textFile("b\n"), textFile("a\n")];
  const result = runTool("join-texts/1.0.0", { texts, name: "all.txt" });
  assert.equal(readFileSync(join(result.folder, "all.txt"), "utf8"), "b\na\n");
});

test("a tree of sleeps prints its line; the chosen job fails", () => {
  const run = (inputs: Parameters<typeof runTool>[1]) =>
    runTool("sleep-tree/1.0.0", { seconds: 0, children: 2, ...inputs });
  const good = run({ index: 3, fail_index: 4 });
  assert.equal(good.exitCode, 0);
  assert.equal(readFileSync(join(good.folder, "sleep-3.txt"), "utf8"), "job 3: 2 children slept for 0 s\n");
  assert.equal(run({ index: 4, fail_index: 4 }).exitCode, 1);
  assert.notEqual(run({ index: 0, seconds: "no number" }).exitCode, 0);
});
