import assert from "node:assert/strict";
import { test } from "node:test";
import type { InputProblem } from "@weft/cwl/values/input-problem.ts";
import { inputErrors } from "./input-errors.ts";

const problem = (pointer: string): InputProblem => ({ severity: "error", pointer, code: "missing-file", message: "m" });
const refused = (pointer: string) => ({ pointer, code: "file-not-allowed", detail: "d" });
const pointersOf = (problems: readonly string[], located: readonly string[]) =>
  inputErrors(problems.map(problem), located.map(refused)).map(({ pointer }) => pointer);

test("what is about a refused location is left out, and nothing else", () => {
  const located = ["/inputs/a/0/location", "/inputs/b"];
  assert.deepEqual(pointersOf(["/a/0/location", "/a/0", "/a", "/b/c/0/basename", "/b"], located), []);
  assert.deepEqual(pointersOf(["/a/1/location", "/a/0/basename", "/aa", "/bb", "/c"], located), [
    "/inputs/a/1/location",
    "/inputs/a/0/basename",
    "/inputs/aa",
    "/inputs/bb",
    "/inputs/c",
  ]);
  assert.deepEqual(inputErrors([problem("/a")], [{ code: "x", detail: "without a pointer" }]).length, 1);
});

test("ten times the problems take about ten times as long", () => {
  const timeOf = (count: number) => {
    const places = Array.from({ length: count }, (_, index) => `/files/${index}/location`);
    const located = places.map((place) => refused(`/inputs${place}`));
    const problems = places.map((place) => problem(place.replace("files", "other")));
    const started = process.threadCpuUsage();
    assert.equal(inputErrors(problems, located).length, count);
    const { user, system } = process.threadCpuUsage(started);
    return (user + system) / 1000;
  };
  timeOf(2_000);
  const few = Math.min(timeOf(2_000), timeOf(2_000), timeOf(2_000));
  // With the square it would be some seconds; on a busy machine even linear work may take a fifth of one.
  const many = Math.min(timeOf(20_000), timeOf(20_000), timeOf(20_000));
  assert.ok(many < 50 * few + 500, "the time grows with the square of the number of problems");
});
