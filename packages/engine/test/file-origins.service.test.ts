import type { RouteQuery } from "@weft/shared/routes/routes.ts";
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { createLinks } from "@weft/shared/links.ts";
import type { FileOccurrence } from "@weft/shared/records/lineage-record.ts";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import type { Caller } from "../src/port/caller.ts";
import { caller, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { provenanceOf, runsOf } from "../src/testing/ask-runs.ts";
import { column, columns } from "../src/testing/columns.ts";

/** Each request brings its own file. */
const tool = (label: string) => ({
  cwlVersion: "v1.2",
  class: "CommandLineTool",
  label,
  baseCommand: "cat",
  inputs: {
    texts: { type: ["File", "File[]"], inputBinding: { position: 1 } },
    own: { type: "File", default: { class: "File", location: "own.txt" } },
  },
  outputs: { made: "stdout" },
  stdout: "made.txt",
});

const network = {
  cwlVersion: "v1.2",
  class: "Workflow",
  requirements: { ScatterFeatureRequirement: {} },
  inputs: { texts: "File[]" },
  outputs: { joined: { type: "File", outputSource: "join/made" } },
  steps: {
    copy: { run: "../../tools/copy/2.0.0/copy.cwl", scatter: "texts", in: { texts: "texts" }, out: ["made"] },
    join: { run: "../../tools/join/1.0.0/join.cwl", in: { texts: "copy/made" }, out: ["made"] },
  },
};

const files = {
  "catalog/networks/study/study.cwl": JSON.stringify(network),
  "catalog/data/sub-01.txt": "sub-01.txt\n",
  "catalog/data/sub-02.txt": "sub-02.txt\n",
  "catalog/data/empty.txt": "",
  "catalog/tools/copy/2.0.0/copy.cwl": JSON.stringify(tool("copy")),
  "catalog/tools/copy/2.0.0/own.txt": "a tool's own\n",
  "catalog/tools/join/1.0.0/join.cwl": JSON.stringify(tool("join")),
  "catalog/tools/join/1.0.0/own.txt": "a tool's own\n",
};
const { engine } = await serveFiles(files, { jobs: 2 });

const dataFile = (name: string) => ({ class: "File", location: `weft-data://catalog/data/${name}` });

async function start(body: CreateRun, by: Caller = caller): Promise<Run> {
  const isRecorded = async (now: Run) =>
    isFinal(now.state) && (await filesOf({ run: now.run_id, scope: "run", direction: "input" }, by)).length > 0;
  return untilRun(engine, await startRun(engine, body, by), isRecorded);
}

type FileQuery = RouteQuery<"GET /api/provenance/files">;
async function filesOf(query: FileQuery, by: Caller = caller): Promise<readonly FileOccurrence[]> {
  return (await runsOf(engine).findFiles(by, { page_size: 500, ...query })).files;
}

async function only(query: FileQuery, by: Caller = caller): Promise<FileOccurrence> {
  const [file, another] = await filesOf(query, by);
  assert.ok(file !== undefined && another === undefined, JSON.stringify(query));
  return file;
}

const inputs = { texts: [dataFile("sub-01.txt"), dataFile("sub-02.txt")] };
const samples = { texts: ["sub-01", "sub-02"] };
let first: Run;
let again: Run;
let reader: Run;

before(async () => {
  first = await start({ network: "study", name: "first", inputs, samples });
  again = await start({ network: "study", name: "again", inputs, samples });
  const { url } = await only({ run: first.run_id, scope: "run", direction: "output" });
  const location = url?.replace(/^.*\/api\/runs\/([^/]+)\/files\//, "weft-data://runs/$1/");
  reader = await start({ network: "study", name: "reader", inputs: { texts: [{ class: "File", location }] } });
});

describe("the origin of a file", () => {
  it("names the tool, the run and the inputs of the job, without the tool's own files", async () => {
    const made = { scope: "job", direction: "output", port: "made", step: "copy", sample: "sub-02" } as const;
    const file = await only({ run: first.run_id, ...made });
    assert.equal(file.run_name, "first");
    const { run_url: _, run_id: runId, job_id: jobId, ...origin } = file.origin ?? assert.fail("no origin");
    assert.deepEqual([runId, jobId], [first.run_id, file.job_id]);
    assert.deepEqual(origin, {
      by: "job",
      run_name: "first",
      step: "copy",
      sample_id: "sub-02",
      tool: { id: "copy", version: "2.0.0" },
      from: ["sub-02.txt"],
      from_count: 1,
    });
  });

  it("is the job that ran, if a later run reused its result", async () => {
    const { origin } = await only({ run: again.run_id, scope: "run", direction: "output" });
    assert.deepEqual([origin?.by, origin?.run_name, origin?.from_count], ["job", "first", 2]);
  });

  it("is found by content for a file that an earlier run made, but not for other files", async () => {
    const { origin } = await only({ run: reader.run_id, scope: "run", direction: "input" });
    // The newest run with that output had it from the first.
    assert.deepEqual([origin?.by, origin?.run_name, origin?.tool?.id], ["content", "first", "join"]);
    const outside = await filesOf({ run: first.run_id, scope: "run", direction: "input" });
    assert.deepEqual(column(outside, "origin"), [null, null]);
  });

  it("comes with the number of other runs that were given the content since", async () => {
    const joined = await only({ run: first.run_id, scope: "run", direction: "output" });
    assert.equal(joined.read_by_runs, 1);
    assert.equal((await only({ run: reader.run_id, scope: "run", direction: "input" })).read_by_runs, 0);
    const [given] = await filesOf({ run: first.run_id, scope: "run", direction: "input" });
    assert.equal(given?.read_by_runs, 1);
  });

  it("counts no readers of empty files", async () => {
    const empty = { texts: [dataFile("empty.txt")] };
    const run = await start({ network: "study", inputs: empty });
    await start({ network: "study", inputs: empty });
    assert.equal((await only({ run: run.run_id, scope: "run", direction: "input" })).read_by_runs, 0);
  });

  it("names no run that the caller may not see", async () => {
    const bob: Caller = { principal: "bob", links: createLinks("http://weft.test"), othersRuns: "hidden" };
    const own = await start({ network: "study", name: "bob's", inputs, samples }, bob);
    const { origin, read_by_runs: readers } = await only({ run: own.run_id, scope: "run", direction: "output" }, bob);
    assert.deepEqual([origin?.run_name, readers], ["bob's", 0]);
    const [given] = await filesOf({ run: own.run_id, scope: "run", direction: "input" }, bob);
    assert.deepEqual([given?.origin, given?.read_by_runs], [null, 0]);
  });
});

describe("files of a step, port or sample", () => {
  it("are those of one run, and refused without one", async () => {
    const ofStep = await filesOf({ run: first.run_id, step: "copy", direction: "output" });
    assert.deepEqual(
      ofStep.map(({ sample_id: sample }) => sample).toSorted((a, b) => String(a).localeCompare(String(b))),
      ["sub-01", "sub-02"],
    );
    const ofSample = await filesOf({ run: first.run_id, sample: "sub-01", scope: "job", direction: "output" });
    assert.deepEqual(columns(ofSample, "step", "sample_id"), [
      ["join", null],
      ["copy", "sub-01"],
    ]);
    for (const query of [{ step: "copy" }, { port: "made" }, { sample: "sub-01" }])
      await assert.rejects(filesOf(query), { code: "invalid-parameters" }, JSON.stringify(query));
  });
});

describe("the lineage of one sample", () => {
  it("has its own jobs and files, and those that all samples share", async () => {
    const { steps, files, flows } = await provenanceOf(engine).lineage(caller, first.run_id, { sample: "sub-01" });
    const [copy, join] = steps;
    assert.deepEqual([copy?.job_counts, join?.job_counts, join?.job_id], [{ COMPLETE: 1 }, { COMPLETE: 1 }, "join"]);
    assert.match(copy?.job_id ?? "", /^copy/);
    assert.deepEqual(files, [
      { step: null, port: "texts", files: 1, name: "sub-01.txt" },
      { step: "copy", port: "made", files: 1, name: "made.txt" },
      { step: "join", port: "made", files: 1, name: "made.txt" },
    ]);
    const own = flows.filter(({ port }) => port !== null);
    assert.deepEqual(columns(own, "from", "port", "to", "output", "files"), [
      [null, "texts", "copy", null, 1],
      ["copy", "made", "join", null, 1],
      ["join", "made", null, "joined", 1],
    ]);
  });

  it("has only shared jobs for an unknown sample", async () => {
    const { steps, files } = await provenanceOf(engine).lineage(caller, first.run_id, { sample: "nobody" });
    assert.deepEqual(column(steps, "job_counts"), [{}, { COMPLETE: 1 }]);
    assert.deepEqual(column(files, "step"), ["join"]);
  });
});
