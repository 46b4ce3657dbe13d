import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { quoteForShell } from "./quote-for-shell.ts";

const CASES: readonly (readonly [string, string])[] = [
  ["plain-1.0/path", "plain-1.0/path"],
  ["", "''"],
  ["a b", "'a b'"],
  ["it's", `'it'\\''s'`],
  ["$(rm -rf /)", "'$(rm -rf /)'"],
  ["~", "'~'"],
  ["!x", "'!x'"],
  ["\n", "'\n'"],
];
for (const [text, expected] of CASES)
  test(`${JSON.stringify(text)} is ${expected}`, () => assert.equal(quoteForShell(text), expected));

/** A linear congruential generator: every test run uses the same words. */
function* words(count: number): Generator<string> {
  const alphabet = " '\"\\$`!*?[]{}()<>|&;#~=%\t\n\r-abc/\u00e4\u{1F600}\u0001\u007f";
  const characters = [...alphabet];
  let state = 1;
  const next = (limit: number) => (state = (state * 1103515245 + 12345) % 2147483648) % limit;
  for (let word = 0; word < count; word++)
    yield Array.from({ length: next(12) }, () => characters[next(characters.length)] ?? "").join("");
}

test("a shell reads ten thousand hostile words back as they were", () => {
  const all = [...words(10_000)];
  const script = `printf '%s\\0' ${all.map(quoteForShell).join(" ")}`;
  const { stdout } = spawnSync("/bin/sh", { input: script, encoding: "utf8", maxBuffer: 1 << 24 });
  assert.deepEqual(stdout.split("\0").slice(0, -1), all);
});
