import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Flag } from "./flag.ts";
import { flagParts, splitWords } from "./split-words.ts";

const OPTIONS = [new Flag("--outdir <DIR>", "x"), new Flag("--quiet", "x")];
const INPUTS = new Map([
  ["message", "value"],
  ["fast", "switch"],
] as const);
const kindOf = (name: string) => [...INPUTS].find(([input]) => input === name)?.[1] ?? "none";

describe("splitWords", () => {
  const cases: readonly [string, string, string, string][] = [
    ["keeps flags of the command with their values", "--outdir a in.yml --quiet", "--outdir a --quiet", "in.yml"],
    [
      "keeps values of inputs with their flags",
      "--message --quiet --fast in.yml",
      "",
      "--message --quiet --fast in.yml",
    ],
    ["accepts values after an equals sign", "--outdir=a --message=b c", "--outdir=a", "--message=b c"],
    ["leaves unknown flags to the inputs", "--nothing --help -h", "", "--nothing --help -h"],
    ["does not need a value at the end", "--message", "", "--message"],
  ];
  for (const [name, words, flags, others] of cases)
    it(name, () => {
      const split = splitWords(words.split(" "), OPTIONS, kindOf);
      assert.deepEqual([split.flags.join(" "), split.others.join(" ")], [flags, others]);
    });

  it("prefers an input to a flag of the same name", () => {
    const split = splitWords(["--quiet", "--outdir", "x"], OPTIONS, (name) => (name === "outdir" ? "value" : "none"));
    assert.deepEqual(split, { flags: ["--quiet"], others: ["--outdir", "x"] });
  });
});

describe("flagParts", () => {
  const cases: readonly [string, readonly (string | undefined)[] | undefined][] = [
    ["--a.b=c=d", ["a.b", "c=d"]],
    ["-n", ["n", undefined]],
    ["--x=", ["x", ""]],
    ["-5", undefined],
    ["-", undefined],
    ["--", undefined],
    ["word", undefined],
  ];
  for (const [word, expected] of cases) it(`reads ${word}`, () => assert.deepEqual(flagParts(word), expected));
});
