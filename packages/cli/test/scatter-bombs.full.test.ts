import assert from "node:assert/strict";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { strings, SCATTER_CATALOG } from "@weft/engine/testing/scatter-catalog.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";
import { BOMBS, checkFailsAgain, checkRefused, post } from "./scatter-bombs.ts";
import { WatchedServer } from "./watched-server.ts";

const MAX_BYTES = 600 * 1024 ** 2;
/** Processor time for which other clients may wait. */
const MAX_TURN_MS = 300;

const root = temporaryFolder(SCATTER_CATALOG);
const server = await WatchedServer.start(["--state", join(root, "state"), "--catalog", join(root, "catalog")]);
after(() => server.served.stop("SIGKILL"));
const client = createClient(server.address);

/** Runs an attack, and checks the memory of the server and how long other clients had to wait. */
async function withstand(attack: () => Promise<void>): Promise<void> {
  const { longestTurnMs, peakBytes } = await server.watch(attack);
  assert.ok(peakBytes <= MAX_BYTES, `the server used ${Math.round(peakBytes / 1024 ** 2)} MiB`);
  assert.ok(longestTurnMs <= MAX_TURN_MS, `a turn took ${Math.round(longestTurnMs)} ms`);
}

describe("a scatter bomb is refused", () => {
  for (const [name, body] of Object.entries(BOMBS)) it(name, () => withstand(() => checkRefused(server.address, body)));

  it("as a body with more values than a request may have", () =>
    withstand(async () => {
      const text = JSON.stringify({ network: "each", inputs: { a: strings(3_000_000) } });
      const answer = await post(server.address, "/api/runs", text);
      assert.equal(answer.status, 413, await answer.text());
    }));
});

describe("a scatter bomb that a step makes", () => {
  it("fails its run, and again when the run is retried or reproduced", () => withstand(() => checkFailsAgain(client)));
});

describe("a run with as many jobs as it may have", () => {
  const WIDE: Readonly<Record<string, CreateRun>> = {
    "a scatter of 100,000": { network: "count", inputs: { n: 100_000 } },
    "a million jobs in scattered workflows": { network: "made-deep", inputs: { n: 900 } },
    "a loop that never ends": { network: "idle", inputs: { again: true } },
    "a list of 100,000 in the request": { network: "each", inputs: { a: strings(100_000) } },
  };
  for (const [name, body] of Object.entries(WIDE))
    it(`answers other clients meanwhile, and is aborted: ${name}`, () =>
      withstand(async () => {
        const runId = await startRun(client, body);
        // Creating thousands of jobs takes about this long.
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        await client("DELETE /api/runs/{run_id}", { params: { run_id: runId } });
        assert.equal((await untilRun(client, runId)).state, "CANCELED");
      }));
});
