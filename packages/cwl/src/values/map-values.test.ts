import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mapFields, mapItems } from "./map-values.ts";

describe("mapItems", () => {
  it("changes items at their positions", () => {
    assert.deepEqual(
      mapItems([1, 2, 3, 4], (item) => (item % 2 === 0 ? -item : item)),
      [1, -2, 3, -4],
    );
  });

  it("returns the list itself if nothing changes", () => {
    const items = [1, 2];
    assert.equal(
      mapItems(items, (item) => item),
      items,
    );
  });
});

describe("mapFields", () => {
  it("changes values and keeps the order of the fields", () => {
    const changed = mapFields({ a: 1, b: "x", c: 2 }, (value) => (typeof value === "number" ? value + 1 : value));
    assert.equal(JSON.stringify(changed), '{"a":2,"b":"x","c":3}');
  });

  it("returns the object itself if nothing changes", () => {
    const object = { a: 1, b: null };
    assert.equal(
      mapFields(object, (value) => value),
      object,
    );
  });

  it("treats `__proto__` like any other name", () => {
    const changed = mapFields(JSON.parse('{"__proto__": 1, "b": 2}'), () => 3);
    assert.equal(JSON.stringify(changed), '{"__proto__":3,"b":3}');
  });
});
