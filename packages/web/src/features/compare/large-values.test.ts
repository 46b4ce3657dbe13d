import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunComparison } from "@weft/shared/records/comparison-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { isLarge } from "./compare-runs.ts";
import { namedByServer } from "./large-values.ts";

// The parts of a record that these functions read.
const run = (part: Partial<Run>): Run => part as Run;
const comparison = (names: readonly string[]): RunComparison => {
  const outputs = names.map((name) => ({ name, result: "different" as const, detail: null }));
  return { inputs: [], outputs } as Partial<RunComparison> as RunComparison; // as above
};

test("values that were left out are large; those of a run without outputs are not", () => {
  const omitted = { outputs_bytes: 5e6, url: "" };
  assert.equal(isLarge("Outputs", [run({ outputs: {} }), run({ outputs: null, omitted })]), true);
  assert.equal(isLarge("Inputs", [run({ inputs: {} }), run({ outputs: null, inputs: {}, omitted })]), false);
  assert.equal(isLarge("Outputs", [run({ outputs: null }), run({ outputs: {} })]), false);
});

test("the server names what differs of large values, for each run", () => {
  const runs = [run({}), run({}), run({})];
  const things = namedByServer("Outputs", runs, [
    undefined,
    comparison(["masks[2]"]),
    comparison(["masks[2]", "table"]),
  ]);
  assert.deepEqual(
    things.map(({ name, differs, sides }) => [name, differs, sides[1]]),
    [
      ["masks[2]", [false, true, true], "different"],
      ["table", [false, false, true], "identical"],
    ],
  );
});
