import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { strings, SCATTER_CATALOG } from "@weft/engine/testing/scatter-catalog.ts";
import { weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const root = temporaryFolder(SCATTER_CATALOG);
const catalog = join(root, "catalog");
const server = await serve(["--state", join(root, "state"), "--catalog", catalog]);
after(() => server.stop("SIGTERM"));

function post(path: string, body: string): Promise<Response> {
  return fetch(`${server.address}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body });
}

async function startRun(body: unknown): Promise<string> {
  const answer = await post("/api/runs", JSON.stringify(body));
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
    it(name, async () => {
      for (const path of ["/api/runs", "/api/runs?dry_run=true"]) {
        const answer = await post(path, text);
        assert.equal(answer.status, 422, await answer.clone().text());
        const problem = (await answer.json()) as { readonly errors: readonly { readonly code: string }[] };
        assert.equal(problem.errors[0]?.code, "limit-exceeded");
      }
    });
  }

  it("by `weft run` and its plan", async () => {
    const inputs = join(root, "inputs.json");
    await writeFile(inputs, JSON.stringify(crossed));
    for (const more of [[], ["--plan"]]) {
      const { code, stderr } = await weft(["run", ...more, join(catalog, "networks/flat/flat.cwl"), inputs]);
      assert.notEqual(code, 0);
      assert.match(stderr, /a scatter of 1,000,000,000 jobs exceeds the limit of 100,000 \(jobs-per-scatter\)/);
    }
  });
});

describe("a scatter bomb that a step makes", () => {
  const fails = async (runId: string) => {
    const run = await finishedRun(runId);
    assert.equal(run.state_reason?.code, "LIMIT_EXCEEDED", JSON.stringify(run.state_reason));
  };

  it("fails its run, and again when the run is retried or reproduced", async () => {
    const runId = await startRun({ network: "made", inputs: { n: 1_000 } });
    await fails(runId);
    for (const again of ["retry", "reproduce"]) {
      const answer = await post(`/api/runs/${runId}/${again}`, "{}");
      assert.equal(answer.status, 201);
      await fails(((await answer.json()) as Run).run_id); // the declared answer
    }
  });

  it("fails `weft run`", async () => {
    const inputs = join(root, "n.json");
    await writeFile(inputs, JSON.stringify({ n: 1_000 }));
    const { code, stderr } = await weft(["run", join(catalog, "networks/made/made.cwl"), inputs]);
    assert.notEqual(code, 0);
    assert.match(stderr, /1,000,000,000 jobs exceeds the limit/);
  });
});

describe("a run with as many jobs as it may have", () => {
  const WIDE: readonly (readonly [string, unknown])[] = [
    ["a scatter of 100,000", { network: "count", inputs: { n: 100_000 } }],
    ["a loop that never ends", { network: "idle", inputs: { again: true } }],
  ];
  for (const [name, body] of WIDE)
    it(`is aborted before it has created all jobs: ${name}`, async () => {
      const runId = await startRun(body);
      await untilRunning(runId);
      assert.ok((await fetch(`${server.address}/api/runs/${runId}`, { method: "DELETE" })).ok);
      const { state, job_counts: counts } = await finishedRun(runId);
      assert.equal(state, "CANCELED");
      assert.ok((counts.COMPLETE ?? 0) < 100_000);
    });
});

/** Resolves when the run has started. */
async function untilRunning(runId: string): Promise<void> {
  const client = createClient(server.address);
  for (;;) {
    const { state } = await client("GET /api/runs/{run_id}", { params: { run_id: runId } });
    if (state === "RUNNING") return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
