import type { JobSummary } from "@weft/shared/records/job-record.ts";
import { expect, test } from "vitest";
import { jobSummary } from "../../../testing/job-summary.ts";
import { causeLine, failureTitle, groupFailures } from "./failure-card.tsx";

const job = (step: string, sample_id: string | null, message: string): JobSummary => ({
  ...jobSummary(3),
  ...{ step, sample_id, state_reason: { code: "TOOL_EXIT", message } },
});

test("groupFailures", () => {
  const [first, second] = [job("a", "s1", "x"), job("a", "s2", "y")];
  const jobs = [first, second, job("a", "s3", "y"), job("b", null, "y"), job("a", "s2", "y")];
  expect(groupFailures(jobs)).toEqual([
    { step: "a", message: "y", jobs: 3, first: jobs[1], samples: ["s2", "s3"] },
    { step: "a", message: "x", jobs: 1, first: jobs[0], samples: ["s1"] },
    { step: "b", message: "y", jobs: 1, first: jobs[3], samples: [] },
  ]);
});

test("failureTitle names the step and the samples", () => {
  const two = [job("m/smooth", "s1", "x"), job("m/smooth", "s2", "x")];
  const cases: [readonly JobSummary[], number, number | undefined, string][] = [
    [two.slice(0, 1), 1, 6, "Smooth failed for s1"],
    [[job("", null, "x")], 1, 0, "The tool failed"],
    [two, 2, 6, "2 jobs failed for 2 of 6 samples"],
    [two, 2, undefined, "2 jobs failed for 2 samples"],
    [two, 900, 1000, "900 jobs failed"],
    [[job("a", null, "x"), job("b", null, "x")], 2, 0, "2 jobs failed"],
  ];
  for (const [jobs, failed, samples, title] of cases) expect(failureTitle(jobs, { failed, samples })).toBe(title);
});

test("causeLine finds the line that names the cause", () => {
  const cases: [string, string][] = [
    ["", ""],
    ["bad data\n", "bad data"],
    ["sub-03.nii: not a NIfTI-1 file\nsee the manual\n", "sub-03.nii: not a NIfTI-1 file"],
    ['Traceback:\n  File "error.py", line 1\nValueError: no shape\n', "ValueError: no shape"],
    ["Error: broken\n    at failHere (x.js:1)\n\nNode.js v26\n", "Error: broken"],
    ["\u001b[31mfatal error\u001b[0m", "fatal error"],
    [`error ${"x".repeat(300)}`, `error ${"x".repeat(194)}…`],
  ];
  for (const [stderr, line] of cases) expect(causeLine(stderr)).toBe(line);
});
