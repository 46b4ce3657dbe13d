import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { caller, endedRun, runToEnd, startRun, untilRun } from "../../src/testing/drive-runs.ts";
import { catalogFile, serveCatalog } from "../test-catalog.ts";
import { provenanceOf, runsOf } from "../../src/testing/ask-runs.ts";
import { column } from "../../src/testing/columns.ts";

const { engine, root } = await serveCatalog();
const one = catalogFile("one.txt");
const SHOUT_ONE: CreateRun = { network: "shout-all", inputs: { texts: [one] } };

describe("a run of a network", () => {
  it("goes from QUEUED to COMPLETE, and its outputs have the checksums of their content", async () => {
    const body = { network: "shout-all", inputs: { texts: [one, catalogFile("two.txt")] } };
    const { run: created } = await engine.runs.create(caller, { body, idempotencyKey: undefined });
    assert.equal(created.state, "QUEUED");
    const run = await endedRun(engine, created.run_id);
    assert.deepEqual([run.state, run.job_counts, run.samples], ["COMPLETE", { COMPLETE: 2 }, ["one", "two"]]);
    const [first] = (run.outputs?.["louds"] ?? []) as { location: string; checksum: string; basename: string }[];
    assert.equal(first?.basename, "one.loud.txt");
    const path = first.location.split("/files/")[1] ?? "";
    const served = await engine.files.runFile(caller, run.run_id, path);
    assert.equal(await readFile(served.path, "utf8"), "ONE\n");
    assert.equal(first.checksum, `sha1$${hash("sha1", "ONE\n")}`);
  });

  it("accepts the output of one run as the input of the next", async () => {
    const first = await runToEnd(engine, SHOUT_ONE);
    const second = await runToEnd(engine, { network: "shout-all", inputs: { texts: first.outputs?.["louds"] } });
    assert.equal(second.state, "COMPLETE");
    const { files } = await runsOf(engine).findFiles(caller, { run: second.run_id, scope: "job", direction: "input" });
    assert.deepEqual(column(files, "name"), ["one.loud.txt"]);
  });

  it("runs a single tool in its newest version", async () => {
    const run = await runToEnd(engine, { tool: "shout", inputs: { text: one } });
    assert.deepEqual([run.tool?.version, run.state], ["1.10.0", "COMPLETE"]);
    const { jobs } = engine.runs.jobs(caller, run.run_id, {});
    const job = engine.runs.job(caller, run.run_id, jobs[0]?.job_id ?? "");
    assert.deepEqual([job.command?.argv[0], job.exit_code], ["shout", 0]);
    const log = await engine.files.jobLog(caller, { runId: run.run_id, jobId: job.job_id, stream: "stderr" });
    assert.equal(await readFile(log.path, "utf8"), "said\n");
  });

  it("returns the same run for the same idempotency key, even for simultaneous requests", async () => {
    const create = (body: CreateRun) => engine.runs.create(caller, { body, idempotencyKey: "key-1" });
    const [{ run: first }, { run: second }] = await Promise.all([create(SHOUT_ONE), create(SHOUT_ONE)]);
    assert.equal(first.run_id, second.run_id);
    await assert.rejects(create({ ...SHOUT_ONE, name: "other" }), { code: "idempotency-key-reused" });
    await endedRun(engine, first.run_id);
  });
});

describe("a job that waits", () => {
  it("names the reason in its record and in the list", async () => {
    const inputs = { hows: ["hang", "hang"] };
    const runId = await startRun(engine, { network: "act-all", inputs, options: { max_parallel_jobs: 1 } });
    await untilRun(engine, runId, (run) => run.job_counts.RUNNING === 1);
    const waiting = engine.runs.jobs(caller, runId, { state: ["QUEUED"] }).jobs[0];
    assert.deepEqual(waiting?.state_reason, { code: "WAITING", message: "the run is limited to 1 job at a time" });
    const { backend } = engine.runs.job(caller, runId, waiting?.job_id ?? "");
    assert.equal(backend.reason, "the run is limited to 1 job at a time");
    assert.equal((await engine.runs.abort(caller, runId, 20_000)).state, "CANCELED");
  });
});

describe("a job whose staging an earlier server has begun", () => {
  it("is staged again", async () => {
    const begun: string[] = [];
    const stop = engine.events.subscribe((batch) => {
      for (const event of batch.visibleTo(caller).filter(({ type }) => type === "job.queued")) {
        const folder = join(root, "state/runs", event.run_id ?? "", "jobs", `${event.job_id}@1`);
        mkdirSync(join(folder, "tmp"), { recursive: true });
        mkdirSync(join(folder, "in", "0", "one.txt"), { recursive: true });
        begun.push(folder);
      }
    });
    const run = await runToEnd(engine, { ...SHOUT_ONE, options: { cache: "off" } });
    stop();
    assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
    // A folder was there under this name.
    const staged = begun.map((folder) => lstatSync(join(folder, "in", "0", "one.txt")).isSymbolicLink());
    assert.deepEqual(staged, [true]);
    const { jobs } = engine.runs.jobs(caller, run.run_id, {});
    assert.deepEqual(column(jobs, "attempt"), [1]);
  });
});

describe("two runs of 200 jobs at once", () => {
  it("both complete, and share the machine", async () => {
    const body: CreateRun = { network: "act-all", inputs: { hows: Array.from({ length: 200 }, () => "0") } };
    const [one, two] = await Promise.all([runToEnd(engine, body), runToEnd(engine, body)]);
    assert.deepEqual([one.job_counts, two.job_counts], [{ COMPLETE: 201 }, { COMPLETE: 201 }]);
    assert.ok((one.start_time ?? "") < (two.end_time ?? "") && (two.start_time ?? "") < (one.end_time ?? ""));
  });
});

describe("provenance", () => {
  it("names the job that made an output, and lists its inputs", async () => {
    const { run_id: run } = await runToEnd(engine, SHOUT_ONE);
    const find = async (query: Parameters<ReturnType<typeof runsOf>["findFiles"]>[1]) =>
      (await runsOf(engine).findFiles(caller, query)).files;
    const [output] = await find({ run, scope: "run", direction: "output" });
    assert.equal(output?.source_job_id, "shout-0");
    assert.equal((await find({ job: "shout-0", run, direction: "input" }))[0]?.name, "one.txt");
    assert.ok(column(await find({ checksum: output?.checksum ?? "" }), "run_id").includes(run));
    const { bytes } = await provenanceOf(engine).provJson(caller, run);
    const prov: Record<string, Record<string, Record<string, unknown>>> = JSON.parse(bytes.toString());
    const made = Object.values(prov["wasGeneratedBy"] ?? {}).map((link) => String(link["prov:activity"]));
    assert.deepEqual(made.sort(), [`run:${run}`, `run:${run}#job/shout-0`]);
    for (const link of [...Object.values(prov["used"] ?? {}), ...Object.values(prov["wasGeneratedBy"] ?? {})]) {
      assert.ok(prov["entity"]?.[String(link["prov:entity"])], `${String(link["prov:entity"])} is described`);
      assert.ok(prov["activity"]?.[String(link["prov:activity"])], `${String(link["prov:activity"])} is described`);
    }
  });
});
