import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { caller, endedRun, runToEnd, startRun, untilRun } from "../../src/testing/drive-runs.ts";
import { catalogFile } from "../test-catalog.ts";
import { openCatalogEngine } from "./open-catalog-engine.ts";
import { provenanceOf, runsOf } from "../../src/testing/ask-runs.ts";
import { column } from "../../src/testing/columns.ts";

const { engine, root } = await openCatalogEngine();
const runCount = () => engine.runs.list(caller, {}).total;

describe("a run of a network", () => {
  it("goes from QUEUED to COMPLETE, and its outputs have the checksums of their content", async () => {
    const body = {
      network: "shout-all",
      inputs: { texts: [catalogFile("one.txt"), catalogFile("two.txt")] },
      tags: { study: "x" },
    };
    const { run: created } = await engine.runs.create(caller, { body, idempotencyKey: undefined });
    assert.equal(created.state, "QUEUED");
    const run = await endedRun(engine, created.run_id);
    assert.equal(run.state, "COMPLETE");
    assert.deepEqual(run.job_counts, { COMPLETE: 2 });
    assert.deepEqual(run.samples, ["one", "two"]);
    const [first] = (run.outputs?.["louds"] ?? []) as { location: string; checksum: string; basename: string }[];
    assert.equal(first?.basename, "one.loud.txt");
    const path = first.location.split("/files/")[1] ?? "";
    const served = await engine.files.runFile(caller, run.run_id, path);
    const content = await readFile(served.path);
    assert.equal(content.toString(), "ONE\n");
    assert.equal(first.checksum, `sha1$${createHash("sha1").update(content).digest("hex")}`);
  });

  it("accepts the output of one run as the input of the next", async () => {
    const first = await runToEnd(engine, { network: "shout-all", inputs: { texts: [catalogFile("one.txt")] } });
    const second = await runToEnd(engine, { network: "shout-all", inputs: { texts: first.outputs?.["louds"] } });
    assert.equal(second.state, "COMPLETE");
    const inputs = (await runsOf(engine).findFiles(caller, { run: second.run_id, scope: "job", direction: "input" }))
      .files;
    assert.deepEqual(column(inputs, "name"), ["one.loud.txt"]);
  });

  it("accepts the older form, which names the samples", async () => {
    const run = await runToEnd(engine, {
      network: "shout-all",
      source_data: {
        texts: { "sub-a": "weft-data://catalog/data/one.txt", "sub-b": "weft-data://catalog/data/two.txt" },
      },
    });
    assert.equal(run.state, "COMPLETE");
    assert.deepEqual(run.samples, ["sub-a", "sub-b"]);
  });

  it("runs a single tool in its newest version", async () => {
    const run = await runToEnd(engine, { tool: "shout", inputs: { text: catalogFile("one.txt") } });
    assert.equal(run.tool?.version, "1.10.0");
    assert.equal(run.state, "COMPLETE");
    const { jobs } = engine.runs.jobs(caller, run.run_id, {});
    const job = engine.runs.job(caller, run.run_id, jobs[0]?.job_id ?? "");
    assert.equal(job.command?.argv[0], "shout");
    assert.equal(job.exit_code, 0);
    const log = await engine.files.jobLog(caller, { runId: run.run_id, jobId: job.job_id, stream: "stderr" });
    assert.equal(await readFile(log.path, "utf8"), "said\n");
  });

  it("returns the same run for the same idempotency key, even for simultaneous requests", async () => {
    const body: CreateRun = { network: "shout-all", inputs: { texts: [catalogFile("one.txt")] } };
    const ask = (wanted: CreateRun) => engine.runs.create(caller, { body: wanted, idempotencyKey: "key-1" });
    const [{ run: one }, { run: two }] = await Promise.all([ask(body), ask(body)]);
    assert.equal(one.run_id, two.run_id);
    await assert.rejects(ask({ ...body, name: "other" }), { code: "idempotency-key-reused" });
    await endedRun(engine, one.run_id);
  });

  it("can be planned without starting anything", async () => {
    const before = runCount();
    const plan = await engine.runs.plan(caller, {
      network: "shout-all",
      inputs: { texts: [catalogFile("one.txt"), catalogFile("two.txt")] },
    });
    assert.equal(plan.jobs_shown_of, 2);
    assert.deepEqual(plan.jobs[1]?.command?.argv[0], "shout");
    assert.equal(plan.jobs[1]?.sample_id, "two");
    assert.equal(runCount(), before);
  });
});

describe("a job that waits", () => {
  it("names the reason in its record and in the list", async () => {
    const runId = await startRun(engine, {
      network: "act-all",
      inputs: { hows: ["hang", "hang"] },
      options: { max_parallel_jobs: 1 },
    });
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
    const run = await runToEnd(engine, {
      network: "shout-all",
      inputs: { texts: [catalogFile("one.txt")] },
      options: { cache: "off" },
    });
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
    const run = await runToEnd(engine, { network: "shout-all", inputs: { texts: [catalogFile("one.txt")] } });
    const [output] = (await runsOf(engine).findFiles(caller, { run: run.run_id, scope: "run", direction: "output" }))
      .files;
    assert.equal(output?.source_job_id, "shout-0");
    const [input] = (await runsOf(engine).findFiles(caller, { job: "shout-0", run: run.run_id, direction: "input" }))
      .files;
    assert.equal(input?.name, "one.txt");
    const found = (await runsOf(engine).findFiles(caller, { checksum: output?.checksum ?? "" })).files;
    assert.ok(found.some(({ run_id: id }) => id === run.run_id));
    const { bytes } = await provenanceOf(engine).provJson(caller, run.run_id);
    const prov: Record<string, Record<string, Record<string, unknown>>> = JSON.parse(bytes.toString());
    const made = Object.values(prov["wasGeneratedBy"] ?? {}).map((link) => link["prov:activity"]);
    assert.deepEqual(
      made.toSorted((a, b) => String(a).localeCompare(String(b))),
      [`run:${run.run_id}`, `run:${run.run_id}#job/shout-0`],
    );
    for (const link of [...Object.values(prov["used"] ?? {}), ...Object.values(prov["wasGeneratedBy"] ?? {})]) {
      assert.ok(prov["entity"]?.[String(link["prov:entity"])], `${String(link["prov:entity"])} is described`);
      assert.ok(prov["activity"]?.[String(link["prov:activity"])], `${String(link["prov:activity"])} is described`);
    }
  });
});
