import assert from "node:assert/strict";
import { test } from "node:test";
import { maskSource, type Part } from "./prose/mask-source.ts";
import { proseOf } from "./prose/prose-areas.ts";
import { type Kind, SENTENCE_RULES } from "./prose/sentences.ts";
import { VOCABULARY } from "./prose/vocabulary.ts";

const wordsIn = (text: string): string[] => VOCABULARY.flatMap(({ pattern }) => text.match(pattern) ?? []);
const fragmentsIn = (kind: Kind, text: string): string[] =>
  SENTENCE_RULES.flatMap(({ kinds, pattern }) => (kinds.includes(kind) ? (text.match(pattern) ?? []) : []));

test("the vocabulary finds the phrases of the style", () => {
  const flagged = [
    "Of a job that was queued last",
    "The same by step",
    "Failures are told relative to root",
    "The log stands beside the crate",
    "jobs that run go on to their end",
    "Take over where they hold",
    "it is taken up by the next start",
    "this server is no proxy",
    "who is no admin sees only own runs",
    "no address of the web",
    "Who asks cannot be checked now",
    "One thing has to be put right",
    "Tries of a failed job",
    "a run ended by a mistake of ours",
    "there is room for it again",
    "remove the the word",
    "a input",
    "an run",
    "Only the rows in sight exist",
    "Expressions are evaluated anew",
    "in the very image",
    "There is no run “unknown”",
  ];
  for (const text of flagged) assert.notDeepEqual(wordsIn(text), [], text);
});

test("the vocabulary accepts plain English", () => {
  const plain = [
    "Sequence number of the last queued job.",
    "There is no file here, and there are no longer any jobs.",
    "CPU stands for central processing unit.",
    "An hour of a UUID; an x-axis; a user; a one-time token; a URL; an HTTP request.",
    "All of the runs share the same log.",
    "It is no longer valid.",
  ];
  for (const text of plain) assert.deepEqual(wordsIn(text), [], text);
});

test("a masked source keeps its prose at the same offsets, and nothing else", () => {
  const source = [
    'import { x } from "go on";',
    "/** The log goes",
    " * on, but `stands` is code. */",
    'const label = `lane ${room("the room")} of it`;',
    'const view = <p className="taken up" title="put right">at hand</p>;',
    "// one",
    "// two",
    'describe("a run", () => test(`of ${name} ends`, () => /x/.test("no name")));',
  ].join("\n");
  const mask = (part: Part): string[] => {
    const masked = maskSource("a.tsx", source, part);
    assert.equal(masked.length, source.length);
    for (const [word] of masked.matchAll(/[A-Za-z]+/g)) assert.equal(source.indexOf(word) >= 0, true, word);
    return masked.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim().replace(/\s+/g, " ")]));
  };
  assert.deepEqual(mask("comments"), ["The log goes on, but ________ is code.", "one two"]);
  const names = ["a run", "of _______ ends", "no name"];
  assert.deepEqual(mask("texts"), ["lane _______", "the room", "__ of it", "put right", "at hand", ...names]);
  assert.deepEqual([mask("names"), mask("subjects")], [["of _______ ends"], ["a run"]]);
});

test("the rules about sentences find fragments, pronouns and names without a verb", () => {
  const flagged: readonly (readonly [Kind, string])[] = [
    ["comments", "What a site refuses"],
    ["comments", "The inputs as YAML. What may be left out is a comment."],
    ["comments", "Who may send documents through WES."],
    ["comments", " It has ended."],
    ["comments", "Its address"],
    ["comments", "Those that links refer to"],
    ["comments", "Nobody wanted it: the server crashed."],
    ["comments", "This is the last one"],
    ["markdown", "Choose steps. What they receive becomes an input."],
    ["names", "what is not offered is not matched"],
    ["names", "from whom runs are hidden gets nothing"],
    ["names", "of a failed run says so"],
    ["names", "a name in a derivative dataset"],
    ["names", "findGraphNode"],
    ["subjects", "what happens to a job"],
  ];
  for (const [kind, text] of flagged) assert.notDeepEqual(fragmentsIn(kind, text), [], text);
});

test("the rules about sentences accept plain English", () => {
  const plain: readonly (readonly [Kind, string])[] = [
    ["comments", "What is in the state folder? A database."],
    ["comments", "This server's address. It has no slash at its end."],
    ["comments", "How long to wait; which order; whether the run has ended"],
    ["markdown", "What does this state mean?"],
    ["texts", "What changed"],
    ["names", "rejects an expired token"],
    ["names", "both complete, and share the machine"],
    ["names", "findGraphNode finds _______"],
    ["subjects", "a name in a derivative dataset"],
  ];
  for (const [kind, text] of plain) assert.deepEqual(fragmentsIn(kind, text), [], text);
});

test("every kind of prose belongs to an area, archived decisions to none", () => {
  const areas = proseOf([
    "docs/adr/archive/0002-x.md",
    "README.md",
    "docs/adr/0001-x.md",
    "packages/web/src/a.tsx",
    "packages/web/src/a.test.ts",
    "packages/catalog/tools/a/1/a.cwl",
  ]).map(({ area }) => area);
  assert.deepEqual(areas, [
    ...["docs", "decisions", "web comments", "web texts"],
    ...["web tests", "web tests", "web tests", "catalog documents"],
  ]);
});
