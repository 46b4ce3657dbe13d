import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { SCATTER_CATALOG } from "@weft/engine/testing/scatter-catalog.ts";
import { untilRun } from "../src/testing/follow-run.ts";
import { serve } from "../src/testing/serve-in-process.ts";
import { POISONED, poisonState } from "./poison-state.ts";

const JOBS = 500;

const root = temporaryFolder(SCATTER_CATALOG);

it("starts a server on a poisoned state folder, ends each run that cannot continue, and continues the others", async () => {
  const state = join(root, "state");
  const args = ["--state", state, "--catalog", join(root, "catalog")];
  // Creates the folder.
  await (await serve(args)).stop("SIGTERM");
  await poisonState(state, JOBS);
  const server = await serve(args);
  const client = createClient(server.address);
  const [bomb, wide, deep, lost] = await Promise.all(POISONED.map((runId) => untilRun(client, runId)));
  assert.equal(bomb?.state_reason?.code, "LIMIT_EXCEEDED");
  assert.deepEqual([deep?.state, lost?.state], ["SYSTEM_ERROR", "SYSTEM_ERROR"]);
  assert.deepEqual([wide?.state, wide?.job_counts], ["COMPLETE", { COMPLETE: JOBS }]);
  await server.stop("SIGTERM");
});
