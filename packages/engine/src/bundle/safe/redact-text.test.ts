import assert from "node:assert/strict";
import { test } from "node:test";
import { redactText } from "./safe-record.ts";

const secrets = [
  { text: "Anna Schmidt", placeholder: "<input:who>" },
  { text: "sub-01_T1w", placeholder: "file-1" },
  { text: "7", placeholder: "<input:n>" },
];
const known = "result smooth --fwhm $(inputs.x)";

const CASES: readonly (readonly [string, string])[] = [
  ["no file for Anna Schmidt", "no file for <input:who>"],
  ["ANNA SCHMIDT and schmidt's", "<input:who> and <private>'s"],
  ["7 of 77 files", "<input:n> of 77 files"],
  ["open '/data/x y/a.txt' or /home/a/b: no", "open '<text>' or <path> no"],
  ["at file:///home/a and https://h.example/x?y=1)", "at <address> and <address>)"],
  ["the output `result` of `other thing`", "the output `result` of `<text>`"],
  ["`$(inputs.x)` gave 'T1w-like'", "`$(inputs.x)` gave '<text>'"],
  ["../up and ~/home", "<path> and <path>"],
  ["4/5 of it", "4/5 of it"],
];
for (const [text, expected] of CASES)
  test(`redacts "${text}" to "${expected}"`, () => assert.equal(redactText(text, { secrets, known }), expected));
