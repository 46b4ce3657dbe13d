import assert from "node:assert/strict";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { SCATTER_CATALOG } from "@weft/engine/testing/scatter-catalog.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";
import { weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";
import { BOMBS, checkFailsAgain, checkRefused, CROSSED } from "./scatter-bombs.ts";

const root = temporaryFolder(SCATTER_CATALOG);
const catalog = join(root, "catalog");
const server = await serve(["--state", join(root, "state"), "--catalog", catalog]);
after(() => server.stop("SIGTERM"));
const client = createClient(server.address);

/** Checks that `weft run` fails with the number of jobs. */
async function checkFails(network: string, inputs: object, ...flags: readonly string[]): Promise<void> {
  writeFiles(root, { "inputs.json": JSON.stringify(inputs) });
  const document = join(catalog, `networks/${network}/${network}.cwl`);
  const { code, stderr } = await weft(["run", ...flags, document, join(root, "inputs.json")]);
  assert.notEqual(code, 0);
  assert.match(stderr, /1,000,000,000 jobs exceeds the limit of 100,000 \(jobs-per-scatter\)/);
}

describe("a scatter bomb is refused", () => {
  for (const [name, body] of Object.entries(BOMBS)) it(name, () => checkRefused(server.address, body));

  it("by `weft run` and its plan", async () => {
    await checkFails("flat", CROSSED);
    await checkFails("flat", CROSSED, "--plan");
  });
});

describe("a scatter bomb that a step makes", () => {
  it("fails its run, and again when the run is retried or reproduced", () => checkFailsAgain(client));
  it("fails `weft run`", () => checkFails("made", { n: 1_000 }));
});

describe("a run with as many jobs as it may have", () => {
  const WIDE: Readonly<Record<string, CreateRun>> = {
    "a scatter of 100,000": { network: "count", inputs: { n: 100_000 } },
    "a loop that never ends": { network: "idle", inputs: { again: true } },
  };
  for (const [name, body] of Object.entries(WIDE))
    it(`is aborted before it has created all jobs: ${name}`, async () => {
      const runId = await startRun(client, body);
      await untilRun(client, runId, ({ state }) => state === "RUNNING");
      await client("DELETE /api/runs/{run_id}", { params: { run_id: runId } });
      const { state, job_counts: counts } = await untilRun(client, runId);
      assert.equal(state, "CANCELED");
      assert.ok((counts.COMPLETE ?? 0) < 100_000);
    });
});
