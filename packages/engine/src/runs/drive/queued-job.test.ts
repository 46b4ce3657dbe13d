import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "../../jobs/job.ts";
import { QueuedJob } from "./queued-job.ts";
import type { QueuedJobServices } from "./queued-job.ts";

test("a prepared job whose folder cannot be removed is discarded all the same, with a warning", async () => {
  const warnings: string[] = [];
  const services = {
    journal: { trouble: undefined },
    log: (_level: string, message: string) => warnings.push(message),
  } as unknown as QueuedJobServices; // nothing else of them is used
  // An Operation needs no folder, and no folder has so long a name.
  const job = {
    ...{ runId: "r", jobId: "j", backend: "local", folder: `/${"x".repeat(300)}/j@1` },
    process: { class: "Operation", name: "o" },
  } as unknown as Job; // nothing else of it is used
  const queued = new QueuedJob(job, services);
  assert.equal(queued.discard(), undefined, "nothing was prepared");
  const prepared = new QueuedJob(job, services);
  prepared.prepare();
  await prepared.discard();
  assert.deepEqual(warnings, ["the folder of a job that never started was not removed"]);
  assert.ok(prepared.signal.aborted);
});
