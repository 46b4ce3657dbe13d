import assert from "node:assert/strict";
import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { NewEvent } from "../src/journal/journal-event.ts";
import { openLog } from "../src/app/open-log.ts";
import { CachedRuns } from "./cached-runs.ts";
import { NESTED_NETWORK, nestedExecutor, nestedRun } from "./nested-network.ts";

it("a run continues if its jobs ended in a different order from that of their reattachment", async (t) => {
  const runs = await CachedRuns.open(t, NESTED_NETWORK, { executor: nestedExecutor() });
  const whole = await runs.run({ ...nestedRun(["one", "two"]), options: { cache: "off" } });
  assert.equal(whole.state, "COMPLETE");
  await runs.close();

  // A log that ends where both first jobs are done, and only the second sample has continued.
  const state = join(runs.root, "state");
  const log = await openLog(join(state, "weft.db"), "fast");
  const events = log.read.events({ runId: whole.run_id, since: 0, limit: 1000 });
  const digests = new Set<string>(JSON.stringify(events).match(/sha256:[0-9a-f]{64}/g));
  const known = [...digests].map((digest) => ({ digest, text: log.read.blob(digest) }));
  await log.close();
  const isOf = (event: WeftEvent, ...jobs: string[]) => jobs.includes(event.job_id ?? "");
  const kept = events.filter(
    (event) =>
      event.type === "run.created" ||
      event.type === "run.started" ||
      isOf(event, "each-0.a", "each-1.a") ||
      (event.type === "job.queued" && isOf(event, "each-1.b")),
  );
  // The log returns the events that it received, but as recorded events, whose data have no type.
  const again = kept.map(({ seq: _seq, time: _time, ...event }, index) => ({
    ...event,
    ...(event.job_id === "each-1.b" ? { data: { ...event.data, n: 3 } } : {}),
    ...(index === 0 ? { blobs: known } : {}),
  })) as unknown as NewEvent[];
  await cp(join(state, "runs"), join(runs.root, "kept"), { recursive: true });
  await rm(state, { recursive: true });
  await mkdir(state, { recursive: true });
  await cp(join(runs.root, "kept"), join(state, "runs"), { recursive: true });
  const shorter = await openLog(join(state, "weft.db"), "fast");
  await shorter.append(again);
  await shorter.close();

  await runs.restart();
  const run = await runs.ended(whole.run_id);
  assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
  assert.deepEqual(run.job_counts, { COMPLETE: 5 });
});
