import assert from "node:assert/strict";
import { it } from "node:test";
import { explaining } from "./testing/explaining-reader.ts";
import { addJobs } from "./testing/job-rows.ts";
import { column } from "../testing/columns.ts";

it("the measures of a large run are found by number, without a walk over the run for each", () => {
  const { db, read, plans } = explaining();
  addJobs(db, [{ job_id: "align", n: 4, step: "align", tool: '{"id":"align"}', started_ms: 1 }]);
  assert.deepEqual(column(read.measuresOfRun("r", 4), "step"), ["align"]);
  plans.length = 0;
  read.measuresOfRun("r", 2);
  assert.ok(plans.includes("SEARCH jobs USING INDEX jobs_in_order (run_id=? AND n=?)"), plans.join("\n"));
});
