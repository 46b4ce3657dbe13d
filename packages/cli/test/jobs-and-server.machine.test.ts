import assert from "node:assert/strict";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { scriptTool } from "@weft/engine/testing/script-tool.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const root = temporaryFolder({
  "catalog/tools/online/1.0.0/online.cwl": scriptTool(true),
  "catalog/tools/old/1.0.0/old.cwl": scriptTool(undefined, "v1.0"),
});

/** Runs a job, and returns its output. */
async function outputOf(address: string, tool: string, script: string): Promise<unknown> {
  const client = createClient(address);
  const run = await untilRun(client, await startRun(client, { tool, inputs: { script } }));
  assert.equal(run.state_reason, null);
  return run.outputs?.["said"];
}

/** Prints the first line of the answer to a request. */
const requestScript = (port: string, request: string) =>
  `exec 3<>/dev/tcp/127.0.0.1/${port}; printf '${request} HTTP/1.1\\r\\nHost: 127.0.0.1:${port}\\r\\nConnection: close\\r\\n\\r\\n' >&3; head -1 <&3`;

for (const sandbox of ["none", "auto"])
  describe(`without a login and with --sandbox ${sandbox}, a job with a network`, async () => {
    const folders = ["--state", join(root, sandbox), "--catalog", join(root, "catalog")];
    const server = await serve(["--auth", "none", "--sandbox", sandbox, ...folders]);
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
          assert.match(String(await outputOf(server.address, name, script)), /^HTTP\/1\.1 403 /));

    it("does not keep the owner out", async () => {
      const running = outputOf(server.address, "online", "sleep 2; echo ran");
      for (let n = 0; n < 5; n++) {
        await setTimeout(200);
        assert.equal((await fetch(`${server.address}/api/runs`, { headers: { connection: "close" } })).status, 200);
      }
      assert.equal(await running, "ran\n");
    });
  });
