import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { SCATTER_CATALOG } from "@weft/engine/testing/scatter-catalog.ts";
import { untilRun } from "../src/testing/follow-run.ts";
import { POISONED, poisonState } from "./poison-state.ts";
import { WatchedServer } from "./watched-server.ts";

/** Processor time for which other clients may wait. */
const MAX_TURN_MS = 300;
const MAX_BYTES = 600 * 1024 ** 2;
const JOBS = 100_000;

const root = temporaryFolder(SCATTER_CATALOG);
const state = join(root, "state");
const [bomb, wide, deep, lost] = POISONED;

it("starts a server on a poisoned state folder, answers, and ends each run that cannot continue", async () => {
  const args = ["--state", state, "--catalog", join(root, "catalog")];
  // Creates the folder.
  await (await WatchedServer.start(args)).served.stop("SIGTERM");
  await poisonState(state, JOBS);
  const server = await WatchedServer.start(args);
  const client = createClient(server.address);
  const final = (runId: string) => untilRun(client, runId);
  try {
    const { value: runs, ...watched } = await server.watch(() => Promise.all([bomb, deep, lost].map(final)));
    assert.equal(runs[0]?.state_reason?.code, "LIMIT_EXCEEDED");
    assert.deepEqual([runs[1]?.state, runs[2]?.state], ["SYSTEM_ERROR", "SYSTEM_ERROR"]);
    // The wide run continues from its last state.
    for (let round = 0; round < 5; round++) {
      const { value: counts, ...later } = await server.watch(async () => {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return (await client("GET /api/runs/{run_id}", { params: { run_id: wide } })).job_counts;
      });
      assert.ok(later.longestTurnMs <= MAX_TURN_MS, `a turn took ${Math.round(later.longestTurnMs)} ms`);
      assert.ok((counts["COMPLETE"] ?? 0) >= JOBS / 2);
      assert.ok(later.peakBytes <= MAX_BYTES, `the server used ${Math.round(later.peakBytes / 1024 ** 2)} MiB`);
    }
    assert.ok(watched.peakBytes <= MAX_BYTES, `the server used ${Math.round(watched.peakBytes / 1024 ** 2)} MiB`);
    await fetch(`${server.address}/api/runs/${wide}`, { method: "DELETE" });
    const aborted = await final(wide);
    assert.equal(aborted.state, "CANCELED");
    assert.equal(
      Object.values(aborted.job_counts).reduce((sum, count) => sum + count, 0),
      JOBS,
    );
  } finally {
    await server.served.stop("SIGKILL");
  }
});
