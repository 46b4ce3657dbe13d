import assert from "node:assert/strict";
import { test } from "node:test";
import type { StepRecord } from "@weft/shared/records/process-record.ts";
import { inputRecord, listOf } from "../../../testing/input-record.ts";
import { scatteredInputs } from "./scattered-inputs.ts";

const list = (id: string) => inputRecord(id, listOf("File"));

type Step = Pick<StepRecord, "id" | "scatter" | "scatter_method" | "in">;

function step(id: string, links: Record<string, string>, scatter: string[] = [], method?: string): Step {
  const inputs = Object.entries(links).map(([name, source]) => ({ id: name, source: [source] }));
  return { id, scatter, ...(method === undefined ? {} : { scatter_method: method }), in: inputs };
}

const INPUTS = [list("a"), list("b"), list("c"), inputRecord("n", "int")];

test("lists that are scattered side by side are the columns of the grid", () => {
  const cases: Readonly<Record<string, readonly [readonly Step[], Record<string, unknown>, ...(readonly string[])]>> = {
    "one list": [[step("s", { x: "a", n: "n" }, ["x"])], {}, "a"],
    "nothing is scattered": [[step("s", { x: "a" })], {}],
    "two lists of one step": [[step("s", { x: "b", y: "a" }, ["x", "y"], "dotproduct")], {}, "a", "b"],
    "crossed lists": [[step("s", { x: "a", y: "b" }, ["x", "y"], "flat_crossproduct")], {}, "a"],
    "unrelated lists": [[step("s", { x: "a" }, ["x"]), step("t", { x: "b", y: "c" }, ["x", "y"])], {}, "b", "c"],
    "a later step takes results and a list": [
      [step("s", { x: "a" }, ["x"]), step("t", { x: "s/out", y: "c" }, ["x", "y"], "dotproduct")],
      {},
      "a",
      "c",
    ],
    "results of a crossed step": [
      [step("s", { x: "a", y: "b" }, ["x", "y"], "nested_crossproduct"), step("t", { x: "s/o", y: "c" }, ["x", "y"])],
      {},
      "a",
    ],
    "a list of names": [[step("n", { i: "a", j: "b" }), step("s", { x: "a", y: "n/names" }, ["x", "y"])], {}, "a", "b"],
    "a list of another length through a step": [
      [step("n", { i: "a", j: "b" }), step("s", { x: "a", y: "n/names" }, ["x", "y"])],
      { a: [1, 2], b: [1] },
      "a",
    ],
  };
  for (const [name, [steps, values, ...expected]] of Object.entries(cases))
    assert.deepEqual(
      scatteredInputs(steps, INPUTS, values).map(({ id }) => id),
      expected,
      name,
    );
});

test("secrets are not a column", () => {
  const secret = inputRecord("a", listOf("File"), { secret: true });
  assert.deepEqual(scatteredInputs([step("s", { x: "a" }, ["x"])], [secret], {}), []);
});
