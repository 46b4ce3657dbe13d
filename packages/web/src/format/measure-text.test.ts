import assert from "node:assert/strict";
import { test } from "node:test";
import { cellText, measureText } from "./measure-text.ts";

test("measureText keeps the digits before the point and five significant ones", () => {
  const texts = [77.79769377224147, 24.52866071369499, 0.1 + 0.2, 123456.789, -1e-9 / 3, 12, 0].map((value) =>
    measureText(value),
  );
  assert.deepEqual(texts, ["77.798", "24.529", "0.3", "123457", "-3.3333e-10", "12", "0"]);
  assert.equal(measureText(1000.0123456, 12), "1000.0123456");
  assert.equal(measureText(Number.NaN), "NaN");
});

test("cellText shortens decimals of numbers, and keeps text that may be a name", () => {
  for (const [cell, text, inNumbers] of [
    ["77.79769377224147", "77.798", "77.798"],
    ["-0.123456", "-0.12346", "-0.12346"],
    ["46109.3", "46109.3", "46109"],
    ["28.500", "28.500", "28.5"],
    ["007", "007", "007"],
    ["1.10", "1.10", "1.1"],
    ["9007199254740993", "9007199254740993", "9007199254740993"],
    ["01.123456", "01.123456", "01.123456"],
    ["sub-01", "sub-01", "sub-01"],
  ] as const)
    assert.deepEqual([cellText(cell, false), cellText(cell, true)], [text, inNumbers]);
});
