import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";
import { expectSuccess } from "../src/testing/run-in-process.ts";
import { startServer, type Served } from "./serving.ts";
import { until } from "@weft/engine/testing/until.ts";
import { needsRoot } from "@weft/tooling/lacks.ts";

/** Jobs that run until a file exists, five of them on any machine, and one after them. */
const WAIT = `cwlVersion: v1.2
class: CommandLineTool
requirements: { ResourceRequirement: { coresMin: 0.1, ramMin: 16 } }
baseCommand: [sh, -c, 'until [ -e "$0" ]; do sleep 0.05; done']
inputs: { gate: { type: string, inputBinding: {} } }
outputs: { done: stdout }
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {} }
inputs: { gates: "string[]" }
outputs: []
steps:
  wait: { run: ../../tools/wait/1.0.0/wait.cwl, scatter: gate, in: { gate: gates }, out: [done] }
  last:
    run: { class: CommandLineTool, baseCommand: "true", inputs: { done: "File[]" }, outputs: [] }
    in: { done: wait/done }
    out: []
`;

const root = temporaryFolder({
  "catalog/tools/wait/1.0.0/wait.cwl": WAIT,
  "catalog/networks/waits/waits.cwl": NETWORK,
});
const disk = temporaryFolder();
const isMounted =
  process.platform === "linux" && spawnSync("mount", ["-t", "tmpfs", "-o", "size=12m", "none", disk]).status === 0;
const served: Served[] = [];
after(async () => {
  for (const server of served) await server.stop("SIGKILL");
  if (isMounted) spawnSync("umount", ["-l", disk]);
});

const skip = isMounted ? false : needsRoot("mounts a small disk") || "this machine mounts no tmpfs";

it(
  "on a full disk, runs can end and be aborted, nothing starts, and everything continues when space is free again",
  { skip },
  async () => {
    const [gate, never] = [join(root, "gate"), join(root, "never")];
    const server = await startServer(["--state", join(disk, "state"), "--catalog", join(root, "catalog")]);
    served.push(server);
    const client = createClient(server.address);
    const start = (path: string) => startRun(client, { network: "waits", inputs: { gates: [path, path] } });
    const ballastBytes = () => statSync(join(disk, "state", "ballast")).size;
    const wholeBytes = ballastBytes();
    const alone = await startRun(client, { tool: "wait", inputs: { gate } });
    const [short, long] = [await start(gate), await start(never)];
    for (const runId of [short, long]) await untilRun(client, runId, ({ job_counts: counts }) => counts.RUNNING === 2);
    await assert.rejects(writeFile(join(disk, "filler"), Buffer.alloc(32 * 1024 ** 2)), { code: "ENOSPC" });
    await writeFile(gate, "");

    const refused = await fetch(`${server.address}/api/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ network: "waits", inputs: { gates: [gate] } }),
    });
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "30"]);
    assert.equal(((await refused.json()) as { readonly code: string }).code, "disk-full");
    assert.equal((await client("GET /api/server", {})).storage, "full");
    await client("DELETE /api/runs/{run_id}", { params: { run_id: long } });
    assert.equal((await untilRun(client, long)).state, "CANCELED");
    // The run ends, whether or not its job could write a line.
    await untilRun(client, alone);
    // The jobs have ended as well; the next one cannot start.
    const { state } = await untilRun(client, short, ({ job_counts: counts }) => counts.RUNNING === undefined);
    assert.equal(state, "RUNNING");
    assert.ok(ballastBytes() < wholeBytes);

    await rm(join(disk, "filler"));
    const hasRecovered = async () =>
      (await client("GET /api/server", {})).storage === "ok" && ballastBytes() === wholeBytes;
    await until(hasRecovered);
    await untilRun(client, short);
    assert.equal((await untilRun(client, await start(gate))).state, "COMPLETE");
    const { events } = await client("GET /api/events", { query: { page_size: 500 } });
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, index) => index + 1),
    );
    await server.stop("SIGTERM");
    // The audit log also has the actions from when the disk was full, and its chain is intact.
    await expectSuccess(["audit", "--state", join(disk, "state")]);
  },
);
