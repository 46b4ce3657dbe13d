import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { jobProcesses } from "../src/executor/kill/job-processes.ts";
import { caller, endedRun, startRun } from "../src/testing/drive-runs.ts";
import { containersOf, file, hanging, open, outputText, why } from "./container-server.ts";

// containers.full.test.ts has the rest.
describe("jobs in containers of podman", { skip: why ?? false }, async () => {
  const engine = why === undefined ? await open("state") : undefined;
  after(() => engine?.stop("cancel"));
  assert.ok(engine !== undefined || why !== undefined);
  if (engine === undefined) return;

  it("see their files at paths of the container, and can change only their own folders", async () => {
    const runId = await startRun(engine, { tool: "look", inputs: { one: file("one"), two: file("two") } });
    const run = await endedRun(engine, runId);
    assert.equal(run.state_reason, null);
    assert.equal(run.state, "COMPLETE");
    const { said, heard, env, links, paths } = run.outputs ?? {};
    assert.equal(paths, "/weft/out/one.txt /weft/in/1/two.txt /tmp");
    assert.match(await outputText(engine, run, said), /^settingone\ntwo\n[^]*\/weft\/in\/1:\ntwo\.txt\n[^]*kept\n$/);
    assert.equal(await outputText(engine, run, heard), "two\n");
    assert.match(await outputText(engine, run, env), /^HOME=\/weft\/out$/m);
    assert.match(await outputText(engine, run, env), /^TMPDIR=\/tmp$/m);
    assert.doesNotMatch(await outputText(engine, run, env), /^WEFT_TEST_OF_THE_SERVER/m);
    const texts = await Promise.all((links as readonly unknown[]).map((link) => outputText(engine, run, link)));
    assert.deepEqual([texts[0], texts[2]], ["two\n", "one\n"]);
  });

  it("are gone with their container when the run is aborted", async () => {
    const runId = await startRun(engine, { tool: "end", inputs: { how: "hang" } });
    await hanging(engine, runId);
    await engine.runs.abort(caller, runId, 60_000);
    assert.equal(engine.runs.get(caller, runId).state, "CANCELED");
    assert.equal(await containersOf(runId), "");
    assert.deepEqual(jobProcesses({ runId }), []);
  });
});
