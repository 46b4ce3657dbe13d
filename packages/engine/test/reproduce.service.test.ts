import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Reproduce } from "@weft/shared/records/comparison-record.ts";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { Program } from "../src/testing/scripted-executor.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import { caller, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { provenanceOf, runsOf } from "../src/testing/ask-runs.ts";
import { column, columns } from "../src/testing/columns.ts";

/** Reads its input and an undeclared file: the usual reason why studies cannot be repeated. */
const measure: Program = ({ args: [path = ""], read, print }) => {
  if (read(path).startsWith("bad")) return 1;
  return print(read(path) + read(join(root, "hidden")));
};

const tool = (baseCommand: string, name: string) => ({
  class: "CommandLineTool",
  baseCommand,
  inputs: { text: { type: "File", inputBinding: { position: 1 } } },
  outputs: { made: "stdout" },
  stdout: name,
});
const measureTool = tool("measure", "$(inputs.text.nameroot).csv");
const STUDY = JSON.stringify({
  cwlVersion: "v1.2",
  class: "Workflow",
  requirements: { ScatterFeatureRequirement: {} },
  inputs: { texts: "File[]" },
  outputs: {
    copies: { type: "File[]", outputSource: "copy/made" },
    tables: { type: "File[]", outputSource: "measure/made" },
  },
  steps: {
    copy: { run: tool("cat", "$(inputs.text.basename)"), scatter: "text", in: { text: "texts" }, out: ["made"] },
    measure: { run: measureTool, scatter: "text", in: { text: "copy/made" }, out: ["made"] },
  },
});
const OPTIONAL = JSON.stringify({
  ...{ cwlVersion: "v1.2", class: "Workflow", steps: {}, outputs: {} },
  inputs: { count: { type: "int", default: 3 }, more: "string?" },
});
const files = {
  "catalog/networks/study/study.cwl": STUDY,
  "catalog/networks/fleeting/fleeting.cwl": STUDY,
  "catalog/networks/optional/optional.cwl": OPTIONAL,
  "catalog/data/sub-01.txt": "sub-01,1\n",
  "catalog/data/sub-02.txt": "sub-02,2\n",
  "catalog/data/sub-03.txt": "sub-03,2\n",
  "catalog/data/bad.txt": "bad,2\n",
  hidden: "value,100.0\n",
};
const { root, restart, ...opened } = await serveFiles(files, { programs: { measure }, jobs: 2 });
let { engine } = opened;

const file = (name: string) => ({ class: "File", location: `weft-data://catalog/data/${name}` });
const study: CreateRun = { network: "study", inputs: { texts: [file("sub-01.txt"), file("sub-02.txt")] } };
/** The checksums of inputs may come after the end. */
const isRecorded = async (run: Run) =>
  isFinal(run.state) &&
  (await runsOf(engine).findFiles(caller, { run: run.run_id, scope: "run", direction: "input" })).total === 2;
const runStudy = async (body = study) => untilRun(engine, await startRun(engine, body), isRecorded);
const reproduce = async (original: Run, request: Reproduce = {}) => {
  const { run_id: runId } = await engine.runs.reproduce(caller, original.run_id, request);
  return untilRun(engine, runId, ({ reproduction }) => reproduction?.verdict != null);
};
const hide = (text: string) => writeFile(join(root, "hidden"), text);

describe("reproducing a run", () => {
  it("records a verdict in the new run: everything is identical", async () => {
    const again = await reproduce(await runStudy());
    assert.equal(again.state, "COMPLETE");
    const { verdict } = again.reproduction ?? {};
    assert.equal(verdict?.sentence, "Same document, same inputs: all 4 outputs are identical.");
    assert.deepEqual(
      [verdict?.result, verdict?.inputs_compared, verdict?.outputs_compared, verdict?.first_difference],
      ["identical", 2, 4, null],
    );
  });

  it("reports which outputs differ, how, and the first difference", async () => {
    const original = await runStudy();
    await hide("value,101.0\n");
    const { verdict } = (await reproduce(original)).reproduction ?? {};
    await hide("value,100.0\n");
    assert.equal(
      verdict?.sentence,
      "Same document, same inputs: 2 of 4 outputs differ; first at step measure (sub-01), output made.",
    );
    assert.deepEqual(verdict?.outputs, [
      { name: "tables[0]", result: "different", detail: "line 2, column 2: 100 and 101" },
      { name: "tables[1]", result: "different", detail: "line 2, column 2: 100 and 101" },
    ]);
  });

  it("treats numbers within the tolerance as equal", async () => {
    const original = await runStudy();
    await hide("value,100.5\n");
    const { verdict } = (await reproduce(original, { tolerance: { relative: 0.01 } })).reproduction ?? {};
    await hide("value,100.0\n");
    assert.equal(verdict?.result, "within_tolerance");
    assert.equal(verdict?.outputs[0]?.detail, "numbers differ by at most 0.5");
    assert.match(verdict?.sentence ?? "", /2 of 4 outputs differ, within the tolerance; first at step measure/);
  });

  it("runs the recorded document, regardless of the catalog, and reports that an input has changed", async () => {
    const texts = [file("sub-01.txt"), file("sub-03.txt")];
    const original = await runStudy({ network: "fleeting", inputs: { texts } });
    await rm(join(root, "catalog/networks/fleeting"), { recursive: true });
    await writeFile(join(root, "catalog/data/sub-03.txt"), "sub-03,3\n");
    const again = await reproduce(original);
    assert.equal(again.state, "COMPLETE");
    const { verdict } = again.reproduction ?? {};
    assert.equal(verdict?.same_document, true);
    assert.deepEqual(verdict?.inputs, [
      { name: "texts[1]", result: "different", detail: "same size, different content" },
    ]);
    assert.match(verdict?.sentence ?? "", /^Same document, 1 of 2 inputs differs: 2 of 4 outputs differ/);
  });

  it("compares inputs and resources of any two runs, apart from the verdict", async () => {
    const [one, other] = [await runStudy(), await runStudy()];
    const compared = await engine.provenance.compare(caller, [one.run_id, other.run_id], { relative: 0, absolute: 0 });
    assert.equal(compared.result, "identical");
    const { first, second } = compared.used;
    assert.deepEqual([first.duration_ms, second.duration_ms], [one.duration_ms, other.duration_ms]);
    const steps = first.steps.map(({ step, attempts, jobs_cached }) => [step, attempts + jobs_cached]);
    assert.deepEqual(steps, [
      ["copy", 2],
      ["measure", 2],
    ]);
    assert.deepEqual([second.attempts, second.jobs_cached, second.cpu_ms], [0, 4, null]);
  });

  it("counts a default as the value of an input that was not given", async () => {
    const start = async (inputs: CreateRun["inputs"]) =>
      untilRun(engine, await startRun(engine, { network: "optional", inputs }), ({ state }) => isFinal(state));
    const [absent, given, other] = [await start({}), await start({ count: 3, more: null }), await start({ count: 4 })];
    const compare = async (run: Run) =>
      (await engine.provenance.compare(caller, [absent.run_id, run.run_id], { relative: 0, absolute: 0 })).inputs;
    assert.deepEqual(await compare(given), []);
    assert.deepEqual(await compare(other), [{ name: "count", result: "different", detail: "3 and 4" }]);
  });

  it("says which content is unknown if a file was given as text", async () => {
    const whole = await runStudy();
    const texts = [file("sub-01.txt"), { class: "File", basename: "sub-02.txt", location: "data:,bad" }];
    const given = await untilRun(engine, await startRun(engine, { ...study, inputs: { texts } }), ({ state }) =>
      isFinal(state),
    );
    const compared = await engine.provenance.compare(caller, [whole.run_id, given.run_id], {
      relative: 0,
      absolute: 0,
    });
    assert.deepEqual(compared.inputs, [
      { name: "texts[1]", result: "different", detail: "the content in the second run was not recorded" },
    ]);
  });

  it("compares the results of jobs of a failed run", async () => {
    const texts = [file("sub-01.txt"), file("bad.txt")];
    // One at a time, so that the bad file is the last one; then nothing is published.
    const options = { on_failure: "finish_running", max_parallel_jobs: 1 } as const;
    const whole = await runStudy();
    const [failed, other] = [
      await runStudy({ ...study, inputs: { texts }, options }),
      await runStudy({ ...study, inputs: { texts }, options }),
    ];
    assert.deepEqual([failed.state, failed.partial, failed.outputs], ["EXECUTOR_ERROR", true, null]);
    const compare = (a: Run, b: Run) =>
      engine.provenance.compare(caller, [a.run_id, b.run_id], { relative: 0, absolute: 0 });
    const compared = await compare(whole, failed);
    assert.deepEqual(compared.outputs, [
      { name: "copies[1]", result: "different", detail: "named sub-02.txt and bad.txt" },
      { name: "tables[1]", result: "different", detail: "only the first has it" },
    ]);
    assert.match(compared.sentence, /the first succeeded, the second failed; 2 of 4 outputs differ/);
    assert.deepEqual(column((await compare(failed, whole)).outputs, "detail"), [
      "named bad.txt and sub-02.txt",
      "only the second has it",
    ]);
    assert.deepEqual(
      [(await compare(failed, other)).result, (await compare(failed, other)).outputs_compared],
      ["identical", 4],
    );
  });

  it("is refused while the run is open", async () => {
    const runId = await startRun(engine, study);
    await assert.rejects(engine.runs.reproduce(caller, runId, {}), { code: "conflict" });
    await untilRun(engine, runId, isRecorded);
  });

  it("gives the verdict after a restart if the server ended before it could", async () => {
    const original = await runStudy();
    const again = await reproduce(original);
    await engine.stop("drain");
    const db = new DatabaseSync(join(root, "state/weft.db"));
    // As if the server had been killed between the end of the run and the verdict.
    db.prepare("DELETE FROM events WHERE type = 'run.compared' AND run_id = ?").run(again.run_id);
    db.prepare("UPDATE runs SET verdict = NULL WHERE run_id = ?").run(again.run_id);
    db.close();
    engine = await restart("drain");
    const judged = await untilRun(engine, again.run_id, ({ reproduction }) => reproduction?.verdict != null);
    assert.equal(judged.reproduction?.verdict?.result, "identical");
  });
});

describe("lineage across runs", () => {
  const isLink = (link: { readonly from: string; readonly to: string }, from: Run, to: Run) =>
    link.from === from.run_id && link.to === to.run_id;

  it("leads from a run to all runs whose outputs it needed, with a mark at its limit", async () => {
    const first = await runStudy();
    const upload = async (name: string) => {
      const query = { run: first.run_id, scope: "run", direction: "output", q: name } as const;
      const { files } = await runsOf(engine).findFiles(caller, query);
      const location = files[0]?.url
        ?.replace("http://weft.test/api/runs/", "weft-data://runs/")
        .replace("/files/", "/");
      return { class: "File", location };
    };
    const texts = [await upload("sub-01.csv"), await upload("sub-02.csv")];
    const second = await runStudy({ network: "study", inputs: { texts } });
    const { runs } = await provenanceOf(engine).lineage(caller, first.run_id, {});
    const after = runs.find(({ run_id: runId }) => runId === second.run_id);
    assert.deepEqual([after?.distance, after?.by, after?.created_at], [1, "location", second.created_at]);
    const { links } = await provenanceOf(engine).lineage(caller, second.run_id, { depth: 1 });
    assert.ok(links.some((link) => isLink(link, first, second) && link.by === "location" && link.files === 2));
  });

  it("names no run as the source of files that merely have the same content", async () => {
    const texts = [file("bad.txt"), file("sub-02.txt")];
    const options = { on_failure: "continue", max_parallel_jobs: 1 } as const;
    const failed = await runStudy({ ...study, inputs: { texts }, options });
    assert.deepEqual([failed.state, failed.outcome], ["EXECUTOR_ERROR", "partial"]);
    // The copies and outputs of the failed run, and the catalog, are equal.
    const reader = await runStudy({ ...study, inputs: { texts } });
    const before = await provenanceOf(engine).lineage(caller, reader.run_id, { depth: 3 });
    assert.ok(before.links.some((link) => isLink(link, failed, reader)));
    for (const { by, distance } of [...before.links.map((link) => ({ ...link, distance: -1 })), ...before.runs])
      assert.equal(by, distance === 0 ? "location" : "content");
    const { runs } = await provenanceOf(engine).lineage(caller, failed.run_id, { depth: 1 });
    assert.equal(runs.find(({ run_id: runId }) => runId === reader.run_id)?.by, "content");
  });

  it("folds a run into its steps and the files that pass between them", async () => {
    const run = await runStudy();
    const { steps, files, flows } = await provenanceOf(engine).lineage(caller, run.run_id, { depth: 1 });
    assert.deepEqual(columns(steps, "step", "job_counts", "job_id"), [
      ["copy", { COMPLETE: 2 }, null],
      ["measure", { COMPLETE: 2 }, null],
    ]);
    assert.deepEqual(files, [
      { step: null, port: "texts", files: 2, name: "sub-01.txt" },
      { step: "copy", port: "made", files: 2, name: "sub-01.txt" },
      { step: "measure", port: "made", files: 2, name: "sub-01.csv" },
    ]);
    assert.deepEqual(flows, [
      { from: null, port: "texts", to: "copy", output: null, files: 2 },
      { from: "copy", port: "made", to: null, output: "copies", files: 2 },
      { from: "copy", port: "made", to: "measure", output: null, files: 2 },
      { from: "measure", port: "made", to: null, output: "tables", files: 2 },
    ]);
  });
});
