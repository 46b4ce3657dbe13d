import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalText } from "./canonical-text.ts";
import { randomValues } from "../testing/random-values.ts";

/** The definition, from which every recorded digest was made. */
const reference = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );

test("canonicalText of random values is that of the definition", () => {
  for (const value of randomValues(2000)) assert.equal(canonicalText(value), reference(value));
});

test("canonicalText preserves a value", () => {
  const value = { b: [{ d: 1, c: 2 }], a: 1 };
  canonicalText(value);
  assert.equal(JSON.stringify(value), '{"b":[{"d":1,"c":2}],"a":1}');
});

test("canonicalText sorts deep nesting in linear time", () => {
  let value: unknown = 1;
  for (let level = 0; level < 200; level++) value = { b: value, a: level };
  assert.equal(canonicalText(value), reference(value));
});
