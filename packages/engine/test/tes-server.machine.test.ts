import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { LOCAL_BACKEND, type BackendSettings } from "../src/executor/backends/backend-settings.ts";
import { LocalTesServer } from "../src/executor/tes/testing/local-tes-server.ts";
import { until } from "../src/testing/until.ts";
import { CachedRuns, caller } from "./cached-runs.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
requirements: { DockerRequirement: { dockerPull: "debian:stable-slim" } }
baseCommand: [sh, -c, 'echo working; test "$0" = forever && sleep 300; tr a-z A-Z < "$1"']
inputs: { how: { type: string, inputBinding: { position: 1 } }, text: { type: File, inputBinding: { position: 2 } } }
outputs: { loud: stdout }
stdout: loud.txt
`;
const LIMITED = TOOL.replace("requirements: {", "requirements: { ToolTimeLimit: { timelimit: 1 },");
const FILES = {
  "catalog/tools/shout/1.0.0/shout.cwl": TOOL,
  "catalog/tools/limited/1.0.0/limited.cwl": LIMITED,
  "data/one.txt": "one\n",
};
const text = { class: "File", location: "weft-data://data/one.txt" };
const body = (tool: string, how: string): CreateRun => ({ tool, inputs: { how, text } });

async function open(t: TestContext) {
  const server = await LocalTesServer.open();
  t.after(() => server.close());
  const tes = { ...LOCAL_BACKEND.tes, url: server.url, pollMs: 20 };
  const backend: BackendSettings = { ...LOCAL_BACKEND, policy: { standard: "tes", rules: [] }, tes };
  // There is no engine for containers here, and none is needed.
  return { server, runs: await CachedRuns.open(t, FILES, { backend, container: "podman" }) };
}

/** Waits for the server; rejects if the run has ended, because then nothing will happen there. */
const untilSo = (runs: CachedRuns, runId: string, isSo: () => boolean) =>
  until(() => {
    const { state, state_reason: reason } = runs.engine.runs.get(caller, runId);
    assert.ok(!isFinal(state), reason?.message ?? state);
    return isSo();
  });

describe("a server whose jobs run at a TES server", () => {
  it("shows the backend, image and command of a job", async (t) => {
    const { runs } = await open(t);
    const run = await runs.run(body("shout", "once"));
    assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
    const { backend, container, command } = runs.job(run);
    assert.deepEqual([backend.kind, backend.native_id], ["tes", "task-1"]);
    assert.equal(container, "debian:stable-slim (tes 1.1)");
    assert.equal(command?.argv[0], "sh");
  });

  it("reattaches a job that continues while it is away, and posts none twice", async (t) => {
    const { server, runs } = await open(t);
    server.isHeld = true;
    const runId = await runs.start(body("shout", "once"));
    await untilSo(runs, runId, () => server.posted.length > 0);
    await runs.close("detach");
    server.release();
    await until(() => server.states.some((state) => /COMPLETE|ERROR|CANCELED/.test(state)));
    assert.deepEqual(server.states, ["COMPLETE"]);
    await runs.restart("detach");
    const run = await runs.ended(runId);
    assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
    assert.deepEqual([server.posted.length, runs.job(run).attempt, server.violations], [1, 1, []]);
  });

  it("aborts a run until the TES server says that its tasks have ended", async (t) => {
    const { server, runs } = await open(t);
    const runId = await runs.start(body("shout", "forever"));
    await untilSo(runs, runId, () => server.states.includes("RUNNING"));
    await runs.engine.runs.abort(caller, runId, 60_000);
    const run = await runs.ended(runId);
    assert.equal(run.state, "CANCELED");
    assert.deepEqual(server.states, ["CANCELED"]);
    assert.ok(runs.job(run).kill?.evidence.includes("tes"));
    assert.notEqual(runs.job(run).kill?.confirmed_at, null);
  });

  it("ends a job after its time limit, with a reason", async (t) => {
    const { server, runs } = await open(t);
    const run = await runs.run(body("limited", "forever"));
    assert.equal(run.state_reason?.code, "TIME_LIMIT");
    assert.deepEqual(server.states, ["CANCELED"]);
  });

  it("retries a preempted job", async (t) => {
    const { server, runs } = await open(t);
    server.onRun = () => (server.posted.length === 1 ? { state: "PREEMPTED", system: [] } : undefined);
    const run = await runs.run(body("shout", "once"));
    assert.deepEqual([run.state, runs.job(run).attempt], ["COMPLETE", 2]);
    assert.deepEqual(
      server.posted.map(({ tags }) => tags?.["weft.attempt"]?.split("@")[1]),
      ["1", "2"],
    );
  });
});
