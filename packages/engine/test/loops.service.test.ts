import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import type { Run } from "@weft/shared/records/run-record.ts";
import { caller, endedRun, startRun, untilEvent } from "../src/testing/drive-runs.ts";
import type { Program } from "../src/testing/scripted-executor.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import { GROW, GROWING } from "./crate/crate-catalog.ts";

const grow: Program = ({ args: [path = ""], read, print }) => print(`${read(path)}more\n`);

/** An endless loop that never calls a tool. */
const IDLING = `cwlVersion: v1.2
class: Workflow
$namespaces: { cwltool: "http://commonwl.org/cwltool#" }
requirements: { SubworkflowFeatureRequirement: {} }
inputs: { again: boolean }
outputs: { r: { type: boolean?, outputSource: idle/r } }
steps:
  idle:
    run: { class: Workflow, inputs: { again: boolean }, outputs: { r: { type: boolean, outputSource: again } }, steps: [] }
    in: { again: again }
    out: [r]
    requirements: { cwltool:Loop: { loopWhen: $(inputs.again), loop: { again: r } } }
`;

const files = {
  "catalog/tools/grow/1.0.0/grow.cwl": GROW.replace(/^baseCommand: .*$/m, "baseCommand: grow"),
  "catalog/networks/growing/growing.cwl": GROWING,
  "catalog/networks/idling/idling.cwl": IDLING,
  "catalog/data/text.txt": "first\n",
};
const { restart, ...first } = await serveFiles(files, { programs: { grow } });
let { engine } = first;

const growing = (rounds: number) => {
  const text = { class: "File", location: "weft-data://catalog/data/text.txt" };
  return startRun(engine, { network: "growing", inputs: { text, rounds } });
};

async function grownText(run: Run): Promise<string> {
  const grown = run.outputs?.["grown"] as { readonly location: string } | undefined;
  const served = await engine.files.runFile(caller, run.run_id, grown?.location.split("/files/")[1] ?? "");
  return readFile(served.path, "utf8");
}

it("runs a step repeatedly, each iteration as a job with its number", async () => {
  const run = await endedRun(engine, await growing(3));
  assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
  assert.equal(await grownText(run), "first\nmore\nmore\nmore\n");
  const { jobs } = engine.runs.jobs(caller, run.run_id, {});
  assert.deepEqual(
    new Set(jobs.map(({ job_id: id, step, scatter_index: index }) => `${id} ${step} ${index.join(",")}`)),
    new Set(["grow-0 grow 0", "grow-1 grow 1", "grow-2 grow 2"]),
  );
  assert.equal(run.progress.jobs_total_is_final, true);
});

it("shows the condition of a loop and the inputs that its iterations replace", () => {
  const network = engine.catalog.getNetwork(caller, "growing", undefined);
  assert.deepEqual(network.steps[0]?.loop, {
    when: "$(inputs.round < inputs.rounds)",
    inputs: [
      { id: "text", source: ["longer"] },
      { id: "round", source: ["next"] },
    ],
    output_method: "last",
  });
  assert.equal(network.graph.nodes.find(({ kind }) => kind === "step")?.loop, true);
});

it("continues with the same iteration after a restart", async () => {
  const runId = await growing(12);
  const isFifthDone = () =>
    engine.runs.jobs(caller, runId, { state: ["COMPLETE"] }).jobs.some(({ job_id: id }) => id === "grow-4");
  await untilEvent(engine, isFifthDone);
  engine = await restart();
  const run = await endedRun(engine, runId);
  assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
  assert.equal(await grownText(run), `first\n${"more\n".repeat(12)}`);
  const { jobs } = engine.runs.jobs(caller, runId, {});
  assert.deepEqual(new Set(jobs.map(({ attempt }) => attempt)), new Set([1]));
  assert.equal(jobs.length, 12);
});

it("an endless loop without calls can be aborted, and does not fill the log", async () => {
  const types: string[] = [];
  const stop = engine.events.subscribe((batch) => types.push(...batch.visibleTo(caller).map(({ type }) => type)));
  const runId = await startRun(engine, { network: "idling", inputs: { again: true } });
  assert.equal((await engine.runs.abort(caller, runId, 20_000)).state, "CANCELED");
  stop();
  assert.deepEqual(
    types.filter((type) => type === "run.steps"),
    [],
  );
});
