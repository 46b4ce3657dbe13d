import assert from "node:assert/strict";
import { test } from "node:test";
import type { InputProblem } from "@weft/cwl/values/input-problem.ts";
import { inputErrors } from "./resolve-request.ts";

const problem = (pointer: string): InputProblem => ({ severity: "error", pointer, code: "missing-file", message: "m" });
const refused = (pointer: string) => ({ pointer, code: "file-not-allowed", detail: "d" });
const pointersOf = (problems: readonly string[], located: readonly string[]) =>
  inputErrors(problems.map(problem), located.map(refused)).map(({ pointer }) => pointer);

test("problems about a refused location are omitted, and no others", () => {
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

test("each problem and each refused location is read once, however many there are", () => {
  const count = 20_000;
  let reads = 0;
  const counted = <Item extends { readonly pointer?: string }>(item: Item): Item => {
    const { pointer } = item;
    return Object.defineProperty({ ...item }, "pointer", { get: () => ((reads += 1), pointer) });
  };
  const places = Array.from({ length: count }, (_, index) => `/files/${index}/location`);
  const located = places.map((place) => counted(refused(`/inputs${place}`)));
  const problems = places.map((place) => counted(problem(place.replace("files", "other"))));
  assert.equal(inputErrors(problems, located).length, count);
  assert.equal(reads, 2 * count);
});
