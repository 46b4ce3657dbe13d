import assert from "node:assert/strict";
import { test } from "node:test";
import { syntaxOfFile, jsonSyntax } from "./input-syntax.ts";

test("written values are read unchanged", () => {
  const values = { a: [1, "two", null, 2n ** 63n - 1n], b: { c: true } };
  assert.deepEqual(jsonSyntax.read(jsonSyntax.write(values)), { values });
});

test("an error has its position, also for a value that is not an object", () => {
  assert.match(jsonSyntax.read('{"a": 1,\n}').fault ?? "", /^Line 2, column 1: /);
  assert.match(jsonSyntax.read("[]").fault ?? "", /^Line 1, column 1: Inputs must be an object/);
});

test("the name of a file determines its syntax", () => {
  assert.equal(syntaxOfFile("inputs.JSON"), "json");
  for (const name of ["inputs.yml", "inputs.yaml", "job"]) assert.equal(syntaxOfFile(name), "yaml");
});
