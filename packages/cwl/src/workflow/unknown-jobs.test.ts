import assert from "node:assert/strict";
import { test } from "node:test";
import { createProgress } from "./testing/drive-network.ts";
import { ECHO, network } from "./testing/small-workflows.ts";
import { unknownJobs } from "./unknown-jobs.ts";

async function reasons(steps: string): Promise<Record<string, readonly string[]>> {
  const workflow = await network('a: Any, list: "Any[]"', "  {}", steps);
  const progress = createProgress(workflow);
  await progress.start({ a: 1, list: [1, 2] });
  return Object.fromEntries(unknownJobs(workflow, progress.stepSizes()));
}

const SORT = `  sort: {run: ${ECHO}, in: {x: a}, out: [o]}\n`;
const INNER = `{class: Workflow, inputs: {x: Any}, outputs: {o: {type: Any, outputSource: two/o}}, steps: {one: {run: ${ECHO}, in: {x: x}, out: [o]}, two: {run: ${ECHO}, in: {x: one/o}, out: [o]}}}`;

const CASES: Readonly<Record<string, readonly [string, Record<string, readonly string[]>]>> = {
  "steps that can start are known": [`${SORT}  all: {run: ${ECHO}, scatter: x, in: {x: list}, out: [o]}`, {}],
  "a link names the output that the step waits for": [
    `${SORT}  use: {run: ${ECHO}, in: {x: sort/o}, out: [o]}\n  last: {run: ${ECHO}, in: {x: use/o}, out: [o]}`,
    { use: ["waits for the output `o` of step sort"], last: ["waits for the output `o` of step use"] },
  ],
  "distinguishes the width of a scatter and a condition from a plain link": [
    `${SORT}  wide: {run: ${ECHO}, scatter: x, in: {x: sort/o}, out: [o]}\n  maybe: {run: ${ECHO}, when: $(inputs.go), in: {x: a, go: sort/o}, out: [o]}\n  both: {run: ${ECHO}, when: $(inputs.x > 1), in: {x: a, y: sort/o}, out: [o]}`,
    {
      wide: ["the number of jobs depends on the output `o` of step sort"],
      maybe: ["`when` depends on the output `o` of step sort"],
      both: ["waits for the output `o` of step sort"],
    },
  ],
  "steps after a skipped step are known": [
    `  never: {run: ${ECHO}, when: $(false), in: {x: a}, out: [o]}\n  use: {run: ${ECHO}, in: {x: never/o}, out: [o]}`,
    {},
  ],
  "steps of a running nested network have their own reasons; those of a waiting one have its reason": [
    `${SORT}  now: {run: ${INNER}, in: {x: a}, out: [o]}\n  later: {run: ${INNER}, in: {x: sort/o}, out: [o]}`,
    {
      "now/two": ["waits for the output `o` of step now/one"],
      later: ["waits for the output `o` of step sort"],
      "later/one": ["waits for the output `o` of step sort"],
      "later/two": ["waits for the output `o` of step later/one"],
    },
  ],
  "a loop that has started can continue": [
    `  s: {run: ${ECHO}, in: {x: a}, out: [o], requirements: {"cwltool:Loop": {loopWhen: $(true), loop: {x: o}}}}`,
    { s: ["a loop: the number of iterations depends on their results"] },
  ],
};

for (const [name, [steps, expected]] of Object.entries(CASES))
  test(name, async () => assert.deepEqual(await reasons(steps), expected));
