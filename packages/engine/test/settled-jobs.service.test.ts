import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { buffer, text } from "node:stream/consumers";
import { describe, it } from "node:test";
import type { TestContext } from "node:test";
import type { Run } from "@weft/shared/records/run-record.ts";
import { verifyState } from "../src/provenance/verify/verify-state.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";
import { caller, CachedRuns } from "./cached-runs.ts";

const SCATTER = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {} }
inputs: { words: "string[]", given: "File?" }
outputs: { said: { type: "File[]", outputSource: say/said } }
steps:
  say:
    scatter: word
    in: { word: words, given: given }
    out: [said]
    run:
      class: CommandLineTool
      baseCommand: say
      inputs:
        word: { type: string, inputBinding: { position: 1 } }
        given: { type: "File?", inputBinding: { position: 2 } }
      stdout: said.txt
      outputs: { said: stdout }
`;

const WORDS = ["true", "warn", "leave"];

async function openRuns(t: TestContext): Promise<CachedRuns> {
  const executor = new ScriptedExecutor({
    say({ args: [word = ""], print, warn, write }) {
      print(`${word}\n`);
      if (word === "warn") warn("heard\n");
      if (word === "leave") write("left.txt", "");
    },
  });
  return CachedRuns.open(t, { "catalog/networks/say/say.cwl": SCATTER }, { executor });
}

describe("the jobs of a scatter that have ended", () => {
  it("leave nothing but their outputs, and whatever else they wrote", async (t) => {
    const runs = await openRuns(t);
    const run = await runs.run({ network: "say", inputs: { words: WORDS } });
    const folder = folderOf(runs, run);
    assert.deepEqual((await readdir(`${folder}/jobs`)).toSorted(), ["say-1@1", "say-2@1"]);
    assert.deepEqual(await readdir(`${folder}/jobs/say-1@1`), ["stderr"]);
    assert.deepEqual((await readdir(`${folder}/jobs/say-2@1/out`)).toSorted(), ["left.txt", "said.txt"]);
    assert.deepEqual((await readdir(`${folder}/results`)).toSorted(), ["say-0@1.said.txt", "say-1@1.said.txt"]);
  });

  it("remove the links to their inputs too", async (t) => {
    const runs = await openRuns(t);
    await runs.write("data/in.txt", "given\n");
    const given = { class: "File", location: "weft-data://data/in.txt" };
    const run = await runs.run({ network: "say", inputs: { words: ["true"], given } });
    assert.deepEqual(await readdir(`${folderOf(runs, run)}/jobs`), []);
  });

  it("still have logs, a bundle and outputs of their own, and the state is sound", async (t) => {
    const runs = await openRuns(t);
    const run = await runs.run({ network: "say", inputs: { words: WORDS } });
    const log = async (jobId: string, stream: "stdout" | "stderr") => {
      const found = await runs.engine.files.jobLog(caller, { runId: run.run_id, jobId, stream });
      return text((await found.open()).stream());
    };
    assert.equal(await log("say-0", "stdout"), "true\n");
    assert.equal(await log("say-0", "stderr"), "");
    assert.equal(await log("say-1", "stderr"), "heard\n");
    const job = runs.engine.runs.job(caller, run.run_id, "say-0");
    assert.deepEqual([job.logs?.stdout.size, job.logs?.stderr.size], [5, 0]);
    assert.match(JSON.stringify(job.outputs), /results\/say-0%401\.said\.txt|results\/say-0@1\.said\.txt/);
    const shown = await runs.engine.files.runFile(caller, run.run_id, "results/say-0@1.said.txt");
    assert.equal(await text((await shown.open()).stream()), "true\n");
    const bundle = await runs.engine.archives.job(caller, { runId: run.run_id, jobId: "say-0", withData: true });
    assert.ok((await buffer(bundle.open())).includes("logs/stdout.txt"));
    await runs.close();
    const dataFolders = { catalog: `${runs.root}/catalog`, data: `${runs.root}/data` };
    const state = { stateFolder: `${runs.root}/state`, dataFolders, expected: undefined, withFiles: true };
    const { findings, filesChecked } = await verifyState(state);
    assert.deepEqual(findings, []);
    assert.ok(filesChecked >= 6);
  });

  it("are reused with their outputs and logs", async (t) => {
    const runs = await openRuns(t);
    await runs.run({ network: "say", inputs: { words: WORDS } });
    const again = await runs.run({ network: "say", inputs: { words: WORDS } });
    assert.deepEqual(
      runs.jobs(again).map(({ cached }) => cached),
      [true, true, true],
    );
    const found = await runs.engine.files.jobLog(caller, { runId: again.run_id, jobId: "say-0", stream: "stdout" });
    assert.equal(await text((await found.open()).stream()), "true\n");
    const name = `${folderOf(runs, again)}/outputs/said.txt`;
    assert.equal(await readFile(name, "utf8"), "true\n");
  });

  it("free their results with the intermediate files of their run", async (t) => {
    const runs = await openRuns(t);
    const run = await runs.run({ network: "say", inputs: { words: WORDS } });
    await runs.engine.storage.prune(caller, { run_id: run.run_id, parts: ["intermediate"] }, false);
    assert.equal(existsSync(`${folderOf(runs, run)}/results`), false);
    assert.equal(await readFile(`${folderOf(runs, run)}/outputs/said.txt`, "utf8"), "true\n");
  });
});

function folderOf(runs: CachedRuns, { run_id }: Run): string {
  return `${runs.root}/state/runs/${run_id}`;
}
