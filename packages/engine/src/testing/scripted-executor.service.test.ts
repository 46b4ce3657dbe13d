import assert from "node:assert/strict";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { NOTHING_MEASURED } from "../executor/executor.ts";
import { caller, endedRun, runToEnd, startRun, untilRun } from "./drive-runs.ts";
import { openTestEngine } from "./open-test-engine.ts";
import { ScriptedExecutor } from "./scripted-executor.ts";

const tool = (baseCommand: string, rest: object = {}) =>
  JSON.stringify({ cwlVersion: "v1.2", class: "CommandLineTool", baseCommand, inputs: [], outputs: [], ...rest });
const said = { stdout: "said.txt", outputs: { said: "stdout" } };
const text = { inputs: { text: { type: "File", streamable: true } }, stdin: "$(inputs.text.path)" };
const each = {
  ...{ cwlVersion: "v1.2", class: "Workflow", requirements: { ScatterFeatureRequirement: {} } },
  ...{ inputs: { words: "string[]" }, outputs: { said: { type: "File[]", outputSource: "say/said" } } },
  steps: {
    say: {
      run: {
        ...{ class: "CommandLineTool", baseCommand: "echo", ...said },
        inputs: { word: { type: "string", inputBinding: {} } },
      },
      ...{ scatter: "word", in: { word: "words" }, out: ["said"] },
    },
  },
};
const DOCUMENTS: Readonly<Record<string, string>> = {
  "tools/shout/1.0.0/shout.cwl": tool("shout", { ...text, ...said }),
  "tools/wait/1.0.0/wait.cwl": tool("wait", said),
  "tools/hang/1.0.0/hang.cwl": tool("hang"),
  "tools/fail/1.0.0/fail.cwl": tool("false"),
  "tools/missing/1.0.0/missing.cwl": tool("no-such-program"),
  "tools/lost/1.0.0/lost.cwl": tool("killed"),
  "tools/wrong/1.0.0/wrong.cwl": tool("wrong"),
  "tools/make/1.0.0/make.cwl": tool("make", { outputs: { made: { type: "File", outputBinding: { glob: "made/*" } } } }),
  "networks/each/each.cwl": JSON.stringify(each),
  "data/word.txt": "hello",
};

const root = temporaryFolder();
const gate = Promise.withResolvers<number>();
const executor = new ScriptedExecutor({
  shout: ({ stdin, print }) => print(stdin().toUpperCase()),
  wait({ print }) {
    print("waiting");
    return gate.promise;
  },
  make: ({ write }) => write("made/deep.txt", "deep"),
  killed: () => ({ kind: "exited", exitCode: 137, used: NOTHING_MEASURED, oom: { source: "machine", kills: 1 } }),
  wrong() {
    throw new Error("a mistake in the test");
  },
});
writeFiles(join(root, "catalog"), DOCUMENTS);
let engine = await openTestEngine(root, { executor });
after(() => engine.stop("cancel"));

const textOf = async (runId: string, path: string) => {
  using file = await (await engine.files.runFile(caller, runId, path)).open();
  return file.readAll().toString();
};
const run = (name: string, inputs: object = {}) => runToEnd(engine, { tool: name, inputs: { ...inputs } });

describe("a scripted executor", () => {
  it("gives a program its standard input, and collects what it prints", async () => {
    const word = { class: "File", location: "weft-data://catalog/data/word.txt" };
    const { run_id: runId, state } = await run("shout", { text: word });
    assert.equal(state, "COMPLETE");
    assert.equal(await textOf(runId, "outputs/said.txt"), "HELLO");
  });

  it("collects the files that a program writes", async () => {
    const { run_id: runId } = await run("make");
    assert.equal(await textOf(runId, "outputs/deep.txt"), "deep");
  });

  for (const [name, code] of [
    ["fail", "TOOL_EXIT"],
    ["missing", "TOOL_EXIT"],
    ["lost", "OUT_OF_MEMORY"],
  ] as const) {
    it(`ends the job of ${name} with ${code}`, async () => {
      assert.equal((await run(name)).state_reason?.code, code);
    });
  }

  it("reports a mistake in a program as a defect, not as a failed job", async () => {
    assert.equal((await run("wrong")).state, "SYSTEM_ERROR");
  });

  it("ends a program when its run is aborted, and proves it", async () => {
    const runId = await startRun(engine, { tool: "hang", inputs: {} });
    await untilRun(engine, runId, ({ state }) => state === "RUNNING");
    await engine.runs.abort(caller, runId, 10_000);
    assert.equal((await endedRun(engine, runId)).state, "CANCELED");
  });

  it("keeps jobs running for the next engine, and runs each once", async () => {
    const runId = await startRun(engine, { tool: "wait", inputs: {} });
    await untilRun(engine, runId, () => executor.launches.some((launch) => launch.runId === runId));
    await engine.stop("detach");
    engine = await openTestEngine(root, { executor });
    gate.resolve(0);
    assert.equal((await endedRun(engine, runId)).state, "COMPLETE");
    assert.equal(await textOf(runId, "outputs/said.txt"), "waiting");
    assert.equal(executor.launches.filter((launch) => launch.runId === runId).length, 1);
  });
});
