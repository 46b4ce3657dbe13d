import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { startServer } from "../bench/serving.mjs";
import { DEMO_RUNS, seedDemoRuns } from "../demo-runs.mjs";

const state = await mkdtemp(join(tmpdir(), "weft-demo-"));
const server = await startServer(["--state", state]);
after(async () => {
  const { runs } = await read("/api/runs?state=QUEUED,INITIALIZING,RUNNING");
  await Promise.all(runs.map(({ run_id }) => fetch(`${server.address}/api/runs/${run_id}`, { method: "DELETE" })));
  await server.stop();
  await rm(state, { recursive: true });
});

interface Runs {
  readonly runs: readonly {
    readonly run_id: string;
    readonly tags: { readonly demo: string };
    readonly outcome: string | null;
  }[];
}

async function read(path: string): Promise<Runs> {
  // The tests of the API prove the shape.
  return (await (await fetch(server.address + path)).json()) as Runs;
}

test("demonstration runs reach every state, and are not started twice", { timeout: 300_000 }, async () => {
  const demos = DEMO_RUNS.map(({ demo }) => demo);
  assert.deepEqual(await seedDemoRuns(server.address), demos);
  assert.deepEqual(await seedDemoRuns(server.address), []);
  const outcomes = {
    complete: "success",
    "complete-small": "success",
    failed: "failure",
    partial: "partial",
    retried: "failure",
    canceled: "canceled",
  };
  const { runs } = await read("/api/runs");
  const now = Object.fromEntries(runs.map(({ tags, outcome }) => [tags.demo, outcome]));
  assert.deepEqual(now, { ...outcomes, running: null, waiting: null });
});
