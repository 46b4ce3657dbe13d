import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOfDataUrl } from "./data-url.ts";

const CASES: readonly (readonly [string, string | undefined])[] = [
  ["data:,hello", "hello"],
  ["data:,", ""],
  ["data:text/plain;charset=utf-8,a%20b%2Cc,d", "a b,c,d"],
  ["data:,ü%C3%BC", "üü"],
  ["data:,a#fragment", "a"],
  ["data:text/plain;base64,aGVsbG8=", "hello"],
  ["DATA:text/plain;BASE64,aGVsbG8", "hello"],
  ["data:;base64,aGVs%0AbG8%3D", "hello"],
  ["data:;base64,-_8", "\u{fb}\u{ff}"],
  ["data:;base64,", ""],
  ["data:text/plain", undefined],
  ["data:,100%", undefined],
  ["data:;base64,a", undefined],
  ["data:;base64,a*b", undefined],
];
for (const [url, expected] of CASES) {
  test(`bytesOfDataUrl decodes ${url}`, () => {
    const bytes = bytesOfDataUrl(url);
    assert.equal(url.includes("-_8") ? bytes?.toString("latin1") : bytes?.toString(), expected);
  });
}
