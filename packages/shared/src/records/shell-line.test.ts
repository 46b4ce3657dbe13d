import assert from "node:assert/strict";
import { test } from "node:test";
import { shellLine, shellWord } from "./shell-line.ts";

test("shellWord quotes a word if the shell requires it", () => {
  const cases: [string, string][] = [
    ["plain-1.txt", "plain-1.txt"],
    ["", "''"],
    ["two words", "'two words'"],
    ["it's", "'it'\\''s'"],
    ["$HOME", "'$HOME'"],
    ["--a=b/c:d", "--a=b/c:d"],
  ];
  for (const [word, quoted] of cases) assert.equal(shellWord(word), quoted);
});

test("shellLine adds redirections", () => {
  assert.equal(
    shellLine({ argv: ["cat", "-n"], stdin: "in put", stdout: "out.txt", stderr: "log" }),
    "cat -n < 'in put' > out.txt 2> log",
  );
});
