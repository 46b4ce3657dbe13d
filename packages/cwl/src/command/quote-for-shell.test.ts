import assert from "node:assert/strict";
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
