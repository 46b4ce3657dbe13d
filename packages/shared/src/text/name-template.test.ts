import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsHint, fieldsOf, fillTemplate, parseTemplate } from "./name-template.ts";

const isField = (name: string): name is "a" | "b" => name === "a" || name === "b";

test("parses texts and fields, or returns the problem", () => {
  assert.deepEqual(parseTemplate("x{a}{b}-", isField), [{ text: "x" }, { field: "a" }, { field: "b" }, { text: "-" }]);
  assert.deepEqual(parseTemplate("", isField), []);
  assert.equal(parseTemplate("{a}{c}", isField), "cannot have the field {c}");
  assert.equal(parseTemplate("{}", isField), "cannot have the field {}");
  for (const wrong of ["{a", "a}", "{{a}", "{a}}"])
    assert.equal(parseTemplate(wrong, isField), `has an unmatched brace in "${wrong}"`);
});

test("fills the fields of a template", () => {
  const template = parseTemplate("{b}.{a}.{b}", isField);
  assert.ok(typeof template !== "string");
  assert.deepEqual(fieldsOf(template), ["b", "a", "b"]);
  assert.deepEqual(fillTemplate(template, { a: "{b}", b: "" }), { name: ".{b}." });
  assert.equal(fillTemplate(template, { a: undefined, b: "" }), "has no {a}");
  assert.equal(fieldsHint(["a", "b c"]), "fields are {a}, {b c}");
});
