import assert from "node:assert/strict";
import { test } from "node:test";
import type { Problem } from "@weft/shared/records/problem.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { describeProblem } from "./describe-problem.ts";

const CONTEXT = { base: "http://127.0.0.1", requestId: "1", instance: "/api/runs", maxErrors: 2 };
const problemOf = (pointers: readonly string[]): Problem => {
  const errors = pointers.map((pointer) => ({ pointer, code: "x", detail: "y" }));
  return JSON.parse(describeProblem(new Refusal("invalid-inputs", "no", { errors }), CONTEXT).text) as Problem; // made here
};

test("a pointer of more than 1,000 characters becomes that of a value around it", () => {
  const deep = "/inputs/out".concat("/0".repeat(600));
  const pointersOf = (...pointers: readonly string[]) => problemOf(pointers).errors.map(({ pointer }) => pointer);
  assert.deepEqual(pointersOf("/inputs/out", deep.slice(0, 999)), ["/inputs/out", deep.slice(0, 999)]);
  const [shortened] = pointersOf(deep);
  assert.equal(shortened, deep.slice(0, 999));
  assert.deepEqual(pointersOf(`/inputs/${"n".repeat(5000)}/basename`, "/inputs"), ["/inputs", "/inputs"]);
});

test("errors beyond the limit are counted", () => {
  const { errors } = problemOf(["/a", "/b", "/c"]);
  assert.deepEqual(
    errors.map(({ code, detail }) => `${code} ${detail}`),
    ["x y", "x y", "more-problems 1 more problem is not listed"],
  );
});
