import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobServices } from "../../jobs/job-services.ts";
import type { ComparedJob } from "../../jobs/job.ts";
import { JobTicket } from "./job-ticket.ts";

test("a job that cannot be cleaned up is discarded nevertheless, with a warning", async () => {
  const warnings: string[] = [];
  const journal = {
    get storageProblem() {
      throw new Error("the log is broken");
    },
  };
  const log = (_level: string, message: string) => warnings.push(message);
  const services = { journal, log } as unknown as JobServices; // the test uses nothing else of them
  const job = {
    runId: "r",
    jobId: "j",
    backend: "local",
    resources: {},
    process: { class: "Operation" },
  } as unknown as ComparedJob; // likewise
  assert.equal(new JobTicket(job, services).discard(), undefined, "nothing was prepared");
  const prepared = new JobTicket(job, services);
  prepared.prepare();
  await prepared.discard();
  assert.deepEqual(warnings, ["the folder of a job that never started was not removed"]);
  assert.ok(prepared.signal.aborted);
});
