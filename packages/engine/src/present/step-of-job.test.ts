import assert from "node:assert/strict";
import { test } from "node:test";
import { jobIdOf } from "../jobs/job-events.ts";
import { jobPlaces } from "./step-of-job.ts";

test("the ids of jobs contain their step and position, unless they are ambiguous", () => {
  const placeOf = jobPlaces(["each", "outer/inner", "measure-subjects", "a-1", "a", "v2.step", "outer/step-3"]);
  const cases: readonly (readonly [callId: string, step: string | undefined, position?: number])[] = [
    ["each[12]", "each", 12],
    ["each", "each"],
    ["outer[2]/inner[0]", "outer/inner", 2],
    ["outer/inner[7]", "outer/inner", 7],
    ["measure-subjects[5]", "measure-subjects", 5],
    ["outer[4]/step-3", "outer/step-3", 4],
    ["outer[4]/step-3[1]", "outer/step-3", 4],
    ["v2.step[3]", "v2.step", 3],
    // Element 1 of `a` and the step `a-1` both have IDs like this one.
    ["a-1", undefined],
    ["each[1,2]", undefined],
    ["unknown[1]", undefined],
  ];
  for (const [callId, step, position] of cases)
    assert.deepEqual(placeOf(jobIdOf(callId, 9)), step === undefined ? undefined : { step, position }, callId);
});
