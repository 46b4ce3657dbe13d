import assert from "node:assert/strict";
import { test } from "node:test";
import { holdNewRuns, newestOf } from "./hold-new-runs.ts";

const runs = ["05", "04", "02"].map((run_id) => ({ run_id }));

test("runs that came since the list was opened are held back and counted", () => {
  assert.deepEqual(holdNewRuns(runs, "03"), { shown: [{ run_id: "02" }], held: 2 });
  assert.deepEqual(holdNewRuns(runs, "05"), { shown: runs, held: 0 });
});

test("a list that was empty shows all new runs", () => {
  assert.deepEqual(holdNewRuns(runs, newestOf([])), { shown: runs, held: 0 });
  assert.equal(newestOf(runs), "05");
});
