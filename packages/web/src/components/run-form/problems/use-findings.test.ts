import assert from "node:assert/strict";
import { test } from "node:test";
import type { Problem, ProblemError } from "@weft/shared/records/problem.ts";
import { sortServerProblems } from "./use-findings.ts";

function problem(errors: ProblemError[]): Problem {
  const head = { type: "", title: "", status: 422, detail: "The inputs do not fit", instance: "" };
  return { ...head, code: "invalid-inputs", request_id: "r", errors };
}

test("sortServerProblems", () => {
  const cases: [ProblemError[], unknown][] = [
    [[], { fields: [], placeProblems: {}, general: ["The inputs do not fit"] }],
    [
      [{ pointer: "/inputs/images/0/location", code: "missing-file", detail: "nothing is there" }],
      { fields: [{ pointer: "/images/0/location", message: "nothing is there" }], placeProblems: {}, general: [] },
    ],
    [
      [
        { pointer: "/options/max", code: "x", detail: "too small", hint: "did you mean `1`?" },
        { code: "y", detail: "no place" },
      ],
      { fields: [], placeProblems: {}, general: ["too small. Did you mean `1`?", "no place"] },
    ],
    [
      [{ pointer: "/sink_data/a~1b", code: "no-files", detail: "it holds no file" }],
      { fields: [], placeProblems: { "a/b": "it holds no file" }, general: ["Destination of a/b: it holds no file"] },
    ],
  ];
  for (const [errors, sorted] of cases) assert.deepEqual(sortServerProblems(problem(errors)), sorted);
});
