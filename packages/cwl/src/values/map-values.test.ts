import assert from "node:assert/strict";
import { test } from "node:test";
import { mapFields, mapItems } from "./map-values.ts";

test("items and fields change at their places, also those called `__proto__`", () => {
  const negated = mapItems([1, 2, 3, 4], (item) => (item % 2 === 0 ? -item : item));
  assert.deepEqual(negated, [1, -2, 3, -4]);
  const changed = mapFields(JSON.parse('{"a": 1, "__proto__": "x", "c": 2}'), (value) => (value === 2 ? 3 : value));
  assert.equal(JSON.stringify(changed), '{"a":1,"__proto__":"x","c":3}');
});

test("a list or an object in which nothing changes is returned itself", () => {
  const [items, object] = [[1, 2], { a: 1, b: null }];
  const found = mapItems(items, (item) => item);
  assert.equal(found, items);
  const shown = mapFields(object, (value) => value);
  assert.equal(shown, object);
});
