import assert from "node:assert/strict";
import type { Client } from "@weft/shared/routes/client.ts";
import { strings } from "@weft/engine/testing/scatter-catalog.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";

const k = strings(1_000);
export const CROSSED = { a: k, b: k, c: k };

/** Requests whose scatters are too wide. */
export const BOMBS: Readonly<Record<string, unknown>> = {
  "a flat crossproduct of three short lists": { network: "flat", inputs: CROSSED },
  "a nested crossproduct of three short lists": { network: "nested", inputs: CROSSED },
  "a crossproduct in the older form of inputs": { network: "flat", source_data: CROSSED },
  "a nested crossproduct that has no jobs": { network: "nested", inputs: { ...CROSSED, c: [] } },
  "a list of 150,000 strings": { network: "each", inputs: { a: strings(150_000) } },
  "workflows that scatter in a scatter": { network: "deep", inputs: { a: strings(100_000) } },
};

export function post(address: string, path: string, body: string): Promise<Response> {
  return fetch(`${address}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body });
}

/** Checks that a server refuses a request as a run and as a plan. */
export async function checkRefused(address: string, body: unknown): Promise<void> {
  for (const path of ["/api/runs", "/api/runs?dry_run=true"]) {
    const answer = await post(address, path, JSON.stringify(body));
    assert.equal(answer.status, 422, await answer.clone().text());
    const problem = (await answer.json()) as { readonly errors: readonly { readonly code: string }[] };
    assert.equal(problem.errors[0]?.code, "limit-exceeded");
  }
}

/** Checks that a run whose step makes a bomb fails, and again when it is retried or reproduced. */
export async function checkFailsAgain(client: Client): Promise<void> {
  const fails = async (id: string) => {
    const { state_reason: reason } = await untilRun(client, id);
    assert.equal(reason?.code, "LIMIT_EXCEEDED", JSON.stringify(reason));
  };
  const runId = await startRun(client, { network: "made", inputs: { n: 1_000 } });
  await fails(runId);
  for (const again of ["POST /api/runs/{run_id}/retry", "POST /api/runs/{run_id}/reproduce"] as const)
    await fails((await client(again, { params: { run_id: runId }, body: {} })).run_id);
}
