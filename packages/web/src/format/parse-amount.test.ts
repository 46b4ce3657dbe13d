import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBytes, parseDuration } from "./parse-amount.ts";

test("parseDuration reads amounts with units", () => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ["90", 90_000],
    ["250ms", 250],
    ["1.5 h", 5_400_000],
    ["2m 30s", 150_000],
    ["1 d", 86_400_000],
    ["5 MIN", 300_000],
    ["", undefined],
    ["-5", undefined],
    ["5 parsecs", undefined],
    ["1e9", undefined],
    ["9".repeat(40), undefined],
  ];
  for (const [text, ms] of cases) assert.equal(parseDuration(text), ms, text);
});

test("parseBytes", () => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ["500", 500 * 1024 ** 2],
    ["2G", 2 * 1024 ** 3],
    ["1.5 GiB", 1.5 * 1024 ** 3],
    ["300 MB", 300 * 1024 ** 2],
    ["12 b", 12],
    ["x", undefined],
    ["2 ib", undefined],
  ];
  for (const [text, bytes] of cases) assert.equal(parseBytes(text), bytes, text);
});
