import assert from "node:assert/strict";
import { test } from "node:test";
import { cacheReason } from "./cache-reason.ts";

const job = { run_id: "r", run_name: "Cohort", job_id: "smooth-0", url: "" };
const reason = "the result of job smooth-0 of run r is still valid";

test("cacheReason names the run whose result was reused", () => {
  assert.equal(
    cacheReason({ decision: "hit", reason, diff: [], job }),
    "the result of job smooth-0 in run Cohort is still valid",
  );
  assert.equal(cacheReason({ decision: "hit", reason, diff: [] }), reason);
  assert.equal(cacheReason({ decision: "miss", reason: "no earlier result", diff: [], job }), "no earlier result");
});
