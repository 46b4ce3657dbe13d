import assert from "node:assert/strict";
import { test } from "node:test";
import type { Problem, ProblemError } from "@weft/shared/records/problem.ts";
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
  const found = errors.map(({ code, detail }) => `${code} ${detail}`);
  assert.deepEqual(found, ["x y", "x y", "more-problems 1 more problem is not listed"]);
});

const LONG = `begin${"x".repeat(100_000)}end`;
const SHORT = `begin${"x".repeat(94)}…${"x".repeat(96)}end`;
const answered = (refusal: Refusal): Problem => JSON.parse(describeProblem(refusal, CONTEXT).text) as Problem; // made here

test("a very long name keeps its beginning and its end in every text", () => {
  const error = { code: "unknown-input", detail: `no input ${LONG} here`, hint: `rename ${LONG}` };
  const { detail, errors } = answered(new Refusal("invalid-inputs", `no ${LONG} in t`, { errors: [error] }));
  assert.equal(detail, `no ${SHORT} in t`);
  assert.deepEqual(errors, [{ code: "unknown-input", detail: `no input ${SHORT} here`, hint: `rename ${SHORT}` }]);
});

test("a text is short even if a name in it has many words", () => {
  const { detail } = answered(new Refusal("invalid-inputs", `first ${"word ".repeat(100_000)}last`));
  assert.match(detail, /^first word .*….* word last$/);
  assert.ok(detail.length <= 4000);
});

test("an ordinary text stays unchanged", () => {
  const text = `file not found: weft-data://data/${"folder/".repeat(20)}file.txt`;
  assert.equal(answered(new Refusal("invalid-inputs", text)).detail, text);
});

test("an error of GA4GH contains each message once, with its location and hint", () => {
  const msgOf = (refusal: Refusal): string =>
    JSON.parse(describeProblem(refusal, { ...CONTEXT, instance: "/ga4gh/wes/v1/runs" }).text).msg;
  const unknown = { pointer: "/inputs/thread", code: "unknown-input", detail: "there is no input `thread`" };
  const message = `The request does not fit a: ${unknown.pointer}: ${unknown.detail}`;
  const refused = (errors: readonly ProblemError[]) => msgOf(new Refusal("invalid-inputs", message, { errors }));
  assert.equal(refused([unknown]), message);
  assert.equal(refused([{ ...unknown, hint: "did you mean `threads`?" }]), `${message} (did you mean \`threads\`?)`);
  assert.equal(refused([unknown, { ...unknown, pointer: "/b" }]), `${message}; /b: ${unknown.detail}`);
  const named = { pointer: "/network", code: "one-of", detail: "Name one" };
  assert.equal(msgOf(new Refusal("invalid-body", "Name one", { errors: [named] })), "/network: Name one");
});
