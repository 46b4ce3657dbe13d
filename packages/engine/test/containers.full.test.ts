import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, describe, it } from "node:test";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { caller, endedRun, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { clientOf, containersOf, hanging, open, outputText, SILENT, why } from "./container-server.ts";
import { provenanceOf } from "../src/testing/ask-runs.ts";

describe("jobs in containers of podman", { skip: why ?? false }, async () => {
  const engine = why === undefined ? await open("state") : undefined;
  after(() => engine?.stop("cancel"));
  assert.ok(engine !== undefined || why !== undefined);
  if (engine === undefined) return;

  for (const path of ["../../../../../weft.db", "/weft/out/../../../../../weft.db", "/weft/in/../../../../../weft.db"])
    it(`read no file of this machine as standard input (${path})`, async () => {
      const run = await endedRun(engine, await startRun(engine, { tool: "peek", inputs: { path } }));
      assert.deepEqual([run.state_reason?.code, run.outputs], ["STAGE_IN", null]);
    });

  it("have their output folder at the path that the document sets, and may write the output object", async () => {
    const run = await endedRun(engine, await startRun(engine, { tool: "object", inputs: {} }));
    assert.equal(run.state_reason, null);
    assert.equal(run.state, "COMPLETE");
    assert.equal(await outputText(engine, run, run.outputs?.["made"]), "made\n");
  });

  it("are recorded with the exact image, which the provenance names", async () => {
    const runId = await startRun(engine, { tool: "end", inputs: { how: "0" } });
    await endedRun(engine, runId);
    const { container, command } = engine.runs.job(caller, runId, "main");
    assert.match(container ?? "", /^localhost\/weft-test-busybox:1 \(sha256:[0-9a-f]{64}, podman \d/);
    assert.equal(command?.argv[0], "podman");
    assert.ok((await provenanceOf(engine).provJson(caller, runId)).bytes.includes(container ?? "?"));
  });

  const failures: readonly [string, CreateRun, string, RegExp][] = [
    ["fail with the command's code", { tool: "end", inputs: { how: "3" } }, "EXECUTOR_ERROR", /exit code 3/],
    [
      "fail with a code that may be the engine's",
      { tool: "end", inputs: { how: "127" } },
      "EXECUTOR_ERROR",
      /code 127/,
    ],
    ["are not started without a program", { tool: "absent", inputs: {} }, "SYSTEM_ERROR", /cannot be run in the image/],
  ];
  for (const [name, body, state, message] of failures) {
    it(name, async () => {
      const run = await endedRun(engine, await startRun(engine, body));
      assert.equal(run.state, state);
      assert.match(run.state_reason?.message ?? "", message);
    });
  }

  it("name the image that they wait for, and stop waiting when the run is aborted", async () => {
    const runId = await startRun(engine, { tool: "slow", inputs: {} });
    await untilRun(engine, runId, ({ job_counts }) => job_counts.INITIALIZING === 1);
    const { phase, state_reason: reason } = engine.runs.job(caller, runId, "main");
    assert.deepEqual([phase, reason?.message], ["staging", `Fetching the container image ${SILENT} (podman)`]);
    await engine.runs.abort(caller, runId, 60_000);
    assert.equal(engine.runs.get(caller, runId).state, "CANCELED");
  });

  it("end with their container when podman itself is killed", async () => {
    const runId = await startRun(engine, { tool: "end", inputs: { how: "hang" }, options: { retries: 0 } });
    await hanging(engine, runId);
    process.kill(await clientOf(runId), "SIGKILL");
    const run = await endedRun(engine, runId);
    assert.equal(run.state_reason?.code, "BACKEND_LOST");
    assert.equal(await containersOf(runId), "");
  });

  it("are found by the next server, even if only the container is left", async (t) => {
    const first = await open("restarted");
    t.after(() => first.stop("detach"));
    const runId = await startRun(first, { tool: "end", inputs: { how: "hang" } });
    await hanging(first, runId);
    const client = await clientOf(runId);
    const wrapper = Number((await readFile(`/proc/${client}/stat`, "utf8")).split(") ")[1]?.split(" ")[1]);
    await first.stop("detach");
    // The order keeps the wrapper from recording an end.
    for (const pid of [wrapper, client]) process.kill(pid, "SIGKILL");
    assert.notEqual(await containersOf(runId), "");
    const second = await open("restarted");
    t.after(() => second.stop("cancel"));
    await untilRun(second, runId, () => second.runs.job(caller, runId, "main").attempt === 2);
    await hanging(second, runId);
    assert.equal((await containersOf(runId)).trim().split("\n").length, 1);
    await second.runs.abort(caller, runId, 60_000);
    assert.equal(await containersOf(runId), "");
  });
});
