import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { strings, SCATTER_CATALOG } from "@weft/engine/testing/scatter-catalog.ts";
import { WatchedServer } from "./watched-server.ts";

const MAX_BYTES = 600 * 1024 ** 2;
/** Processor time for which other clients may wait. */
const MAX_TURN_MS = 300;

const root = temporaryFolder(SCATTER_CATALOG);
const catalog = join(root, "catalog");
let server: WatchedServer;
before(async () => {
  server = await WatchedServer.start(["--state", join(root, "state"), "--catalog", catalog]);
});
after(async () => {
  await server.served.stop("SIGKILL");
  await rm(root, { recursive: true });
});

function post(address: string, path: string, body: string): Promise<Response> {
  return fetch(`${address}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body });
}

/** Runs an attack, and checks the memory of the server and how long other clients had to wait. */
async function withstand(attack: () => Promise<void>): Promise<void> {
  const { longestTurnMs, peakBytes } = await server.watch(attack);
  assert.ok(peakBytes <= MAX_BYTES, `the server used ${Math.round(peakBytes / 1024 ** 2)} MiB`);
  assert.ok(longestTurnMs <= MAX_TURN_MS, `a turn took ${Math.round(longestTurnMs)} ms`);
}

async function startRun(body: unknown): Promise<string> {
  const answer = await post(server.address, "/api/runs", JSON.stringify(body));
  assert.equal(answer.status, 201);
  return ((await answer.json()) as Run).run_id; // the declared answer
}

async function finishedRun(runId: string): Promise<Run> {
  const client = createClient(server.address);
  for (;;) {
    const run = await client("GET /api/runs/{run_id}", { params: { run_id: runId } });
    if (isFinal(run.state)) return run;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const abortRun = async (runId: string) => {
  const answer = await fetch(`${server.address}/api/runs/${runId}`, { method: "DELETE" });
  assert.ok(answer.ok);
  assert.equal((await finishedRun(runId)).state, "CANCELED");
};

const k = strings(1_000);
const crossed = { a: k, b: k, c: k };
const REFUSED: readonly (readonly [string, unknown])[] = [
  ["a flat crossproduct of three short lists", { network: "flat", inputs: crossed }],
  ["a nested crossproduct of three short lists", { network: "nested", inputs: crossed }],
  ["a crossproduct in the older form of inputs", { network: "flat", source_data: crossed }],
  ["a nested crossproduct that has no jobs", { network: "nested", inputs: { ...crossed, c: [] } }],
  ["a list of 150,000 strings", { network: "each", inputs: { a: strings(150_000) } }],
  ["workflows that scatter in a scatter", { network: "deep", inputs: { a: strings(100_000) } }],
];

describe("a scatter bomb is refused", () => {
  for (const [name, body] of REFUSED) {
    const text = JSON.stringify(body);
    it(name, () =>
      withstand(async () => {
        for (const path of ["/api/runs", "/api/runs?dry_run=true"]) {
          const answer = await post(server.address, path, text);
          assert.equal(answer.status, 422, await answer.clone().text());
          const problem = (await answer.json()) as { readonly errors: readonly { readonly code: string }[] };
          assert.equal(problem.errors[0]?.code, "limit-exceeded");
        }
      }),
    );
  }

  it("as a body with more values than a request may have", () =>
    withstand(async () => {
      const text = JSON.stringify({ network: "each", inputs: { a: strings(3_000_000) } });
      const answer = await post(server.address, "/api/runs", text);
      assert.equal(answer.status, 413, await answer.text());
    }));
});

describe("a scatter bomb that a step makes", () => {
  const fails = async (runId: string) => {
    const run = await finishedRun(runId);
    assert.equal(run.state_reason?.code, "LIMIT_EXCEEDED", JSON.stringify(run.state_reason));
  };

  it("fails its run, and again when the run is retried or reproduced", () =>
    withstand(async () => {
      const runId = await startRun({ network: "made", inputs: { n: 1_000 } });
      await fails(runId);
      for (const again of ["retry", "reproduce"]) {
        const answer = await post(server.address, `/api/runs/${runId}/${again}`, "{}");
        assert.equal(answer.status, 201);
        await fails(((await answer.json()) as Run).run_id); // the declared answer
      }
    }));
});

describe("a run with as many jobs as it may have", () => {
  const WIDE: readonly (readonly [string, unknown])[] = [
    ["a scatter of 100,000", { network: "count", inputs: { n: 100_000 } }],
    ["a million jobs in scattered workflows", { network: "made-deep", inputs: { n: 900 } }],
    ["a loop that never ends", { network: "idle", inputs: { again: true } }],
    ["a list of 100,000 in the request", { network: "each", inputs: { a: strings(100_000) } }],
  ];
  for (const [name, body] of WIDE) {
    it(`answers other clients meanwhile, and is aborted: ${name}`, () =>
      withstand(async () => {
        const runId = await startRun(body);
        // Creating thousands of jobs takes about this long.
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        await abortRun(runId);
      }));
  }
});
