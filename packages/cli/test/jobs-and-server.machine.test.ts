import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { scriptTool } from "@weft/engine/testing/script-tool.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const root = await mkdtemp(join(tmpdir(), "weft-jobs-and-server-"));
after(() => rm(root, { recursive: true }));
const catalog = join(root, "catalog");

for (const [id, text] of [
  ["online", scriptTool(true)],
  ["old", scriptTool(undefined, "v1.0")],
] as const) {
  await mkdir(join(catalog, "tools", id, "1.0.0"), { recursive: true });
  await writeFile(join(catalog, "tools", id, "1.0.0", `${id}.cwl`), text);
}

interface RunState {
  readonly run_id: string;
  readonly state: string;
  readonly state_reason: unknown;
  readonly outputs: { readonly said?: string } | null;
}

async function json<T>(response: Response): Promise<T> {
  assert.ok(response.ok, `${response.status}`);
  return (await response.json()) as T; // by the contract
}

/** Runs a job, and returns its output. */
async function outputOf(address: string, name: string, script: string): Promise<string> {
  const body = JSON.stringify({ tool: name, inputs: { script } });
  const headers = { "content-type": "application/json" };
  const { run_id } = await json<RunState>(await fetch(`${address}/api/runs`, { method: "POST", headers, body }));
  for (;;) {
    const run = await json<RunState>(await fetch(`${address}/api/runs/${run_id}`));
    if (["COMPLETE", "EXECUTOR_ERROR", "SYSTEM_ERROR", "CANCELED"].includes(run.state)) {
      assert.equal(run.state_reason, null);
      return run.outputs?.said ?? "";
    }
    await setTimeout(50);
  }
}

/** Prints the first line of the answer to a request. */
const requestScript = (port: string, request: string) =>
  `exec 3<>/dev/tcp/127.0.0.1/${port}; printf '${request} HTTP/1.1\\r\\nHost: 127.0.0.1:${port}\\r\\nConnection: close\\r\\n\\r\\n' >&3; head -1 <&3`;

for (const sandbox of ["none", "auto"])
  describe(`without a login and with --sandbox ${sandbox}, a job with a network`, async () => {
    const server = await serve([
      ...["--auth", "none", "--sandbox", sandbox, "--state", join(root, sandbox), "--catalog", catalog],
    ]);
    after(() => server.stop("SIGTERM"));
    const { port } = new URL(server.address);
    const ways: Readonly<Record<string, string>> = {
      reads: requestScript(port, "GET /api/runs"),
      changes: requestScript(port, "DELETE /api/runs/00000000-0000-7000-8000-000000000000"),
      "requests events": requestScript(port, "GET /api/events/stream"),
      "has cleared its environment": `env -i bash -c "$(cat <<'END'\n${requestScript(port, "GET /api/runs")}\nEND\n)"`,
      "has lowered its limits": `ulimit -x 5; env -i bash -c "$(cat <<'END'\n${requestScript(port, "GET /api/runs")}\nEND\n)"`,
      "has left its session and its parent": `(env -i setsid bash -c "$(cat <<'END'\n(${requestScript(port, "GET /api/runs")}) >late.txt; mv late.txt done.txt\nEND\n)" &) ; until [ -e done.txt ]; do sleep 0.05; done; cat done.txt`,
    };
    for (const name of ["online", "old"])
      for (const [what, script] of Object.entries(ways))
        it(`does not pass for the owner of the account (${name}): it ${what}`, async () =>
          assert.match(await outputOf(server.address, name, script), /^HTTP\/1\.1 403 /));

    it("does not keep the owner out", async () => {
      const running = outputOf(server.address, "online", "sleep 2; echo ran");
      for (let n = 0; n < 5; n++) {
        await setTimeout(200);
        assert.equal((await fetch(`${server.address}/api/runs`, { headers: { connection: "close" } })).status, 200);
      }
      assert.equal(await running, "ran\n");
    });
  });
