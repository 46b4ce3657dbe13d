import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, describe, it } from "node:test";
import { createLinks } from "@weft/shared/links.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { Caller } from "../src/engine.ts";
import { jobProcesses } from "../src/executor/kill/job-processes.ts";
import { openEngine } from "../src/open-engine.ts";
import { writeTestCatalog } from "./test-catalog.ts";

const root = await mkdtemp(join(tmpdir(), "weft-engine-"));
const catalogFolder = join(root, "catalog");
await writeTestCatalog(catalogFolder);
const engine = await openEngine({
  version: "test",
  stateFolder: join(root, "state"),
  catalogFolder,
  dataFolders: {},
  jobs: undefined,
  maxUploadBytes: 1000,
  retryDelaysMs: [1, 5, 600_000],
  log: () => {},
});
after(async () => {
  await engine.stop("cancel");
  await rm(root, { recursive: true });
});

const caller: Caller = { principal: "ann", links: createLinks("http://weft.test") };
const file = (name: string) => ({ class: "File", location: `weft-data://catalog/data/${name}` });
const create = async (body: CreateRun, key?: string) =>
  (await engine.runs.create(caller, { body, idempotencyKey: key })).run;

const ended = (runId: string): Promise<Run> => until(runId, (run) => isFinal(run.state));

async function until(runId: string, isSo: (run: Run) => boolean): Promise<Run> {
  for (;;) {
    const run = engine.runs.get(caller, runId);
    if (isSo(run)) return run;
    await engine.runs.waitForChange(runId, run.revision, 10_000, new AbortController().signal);
  }
}
const runToEnd = async (body: CreateRun) => ended((await create(body)).run_id);
const runCount = () => engine.runs.list(caller, {}).total;

describe("an idempotency key", () => {
  it("stands for its run after a restart, and tells requests apart by their fingerprint", async () => {
    const open = () =>
      openEngine({
        version: "test",
        stateFolder: join(root, "again"),
        catalogFolder,
        dataFolders: {},
        jobs: 1,
        maxUploadBytes: 1000,
        log: () => {},
      });
    const request = (n: number, fingerprint?: unknown) => ({
      body: { network: "shout-all", name: `upload ${n}`, inputs: { texts: [file("one.txt")] } },
      idempotencyKey: "key",
      fingerprint,
    });
    const first = await open();
    const { run, replayed } = await first.runs.create(caller, request(1, { same: "content" }));
    await first.stop("drain");
    const second = await open();
    const again = await second.runs.create(caller, request(2, { same: "content" }));
    assert.deepEqual([replayed, again.replayed, again.run.run_id], [false, true, run.run_id]);
    await assert.rejects(second.runs.create(caller, request(1)), { code: "idempotency-key-reused" });
    const other = await second.runs.create({ ...caller, principal: "bob" }, request(1));
    assert.equal(other.replayed, false);
    await second.stop("drain");
  });
});

describe("a server that has as many open runs as it takes", () => {
  it("refuses a new one, and still answers a key that has its run", async () => {
    const full = await openEngine({
      version: "test",
      stateFolder: join(root, "full"),
      catalogFolder,
      dataFolders: {},
      jobs: 1,
      maxUploadBytes: 1000,
      maxOpenRuns: 1,
      log: () => {},
    });
    const ask = (key: string) =>
      full.runs.create(caller, { body: { tool: "act", inputs: { how: "hang" } }, idempotencyKey: key });
    const { run } = await ask("first");
    await assert.rejects(ask("second"), { code: "queue-full" });
    assert.equal((await ask("first")).run.run_id, run.run_id);
    await full.runs.abort(caller, run.run_id, 20_000);
    assert.notEqual((await ask("third")).run.run_id, run.run_id);
    await full.stop("cancel");
  });
});

describe("a run of a network", () => {
  it("goes from QUEUED to COMPLETE and its outputs carry checksums of what can be read", async () => {
    const created = await create({
      network: "shout-all",
      inputs: { texts: [file("one.txt"), file("two.txt")] },
      tags: { study: "x" },
    });
    assert.equal(created.state, "QUEUED");
    const run = await ended(created.run_id);
    assert.equal(run.state, "COMPLETE");
    assert.deepEqual(run.job_counts, { COMPLETE: 2 });
    assert.deepEqual(run.samples, ["one", "two"]);
    const [first] = (run.outputs?.["louds"] ?? []) as { location: string; checksum: string; basename: string }[];
    assert.equal(first?.basename, "one.loud.txt");
    const path = first.location.split("/files/")[1] ?? "";
    const served = await engine.files.runFile(run.run_id, path);
    const content = await readFile(served.path);
    assert.equal(content.toString(), "ONE\n");
    assert.equal(first.checksum, `sha1$${createHash("sha1").update(content).digest("hex")}`);
  });

  it("accepts the output of one run as the input of the next", async () => {
    const first = await runToEnd({ network: "shout-all", inputs: { texts: [file("one.txt")] } });
    const second = await runToEnd({ network: "shout-all", inputs: { texts: first.outputs?.["louds"] } });
    assert.equal(second.state, "COMPLETE");
    const inputs = engine.runs.findFiles(caller, { run: second.run_id, scope: "job", direction: "input" }).files;
    assert.deepEqual(
      inputs.map(({ name }) => name),
      ["one.loud.txt"],
    );
  });

  it("accepts the older form, which names the samples", async () => {
    const run = await runToEnd({
      network: "shout-all",
      source_data: {
        texts: { "sub-a": "weft-data://catalog/data/one.txt", "sub-b": "weft-data://catalog/data/two.txt" },
      },
    });
    assert.equal(run.state, "COMPLETE");
    assert.deepEqual(run.samples, ["sub-a", "sub-b"]);
  });

  it("runs a single tool in its newest version", async () => {
    const run = await runToEnd({ tool: "shout", inputs: { text: file("one.txt") } });
    assert.equal(run.tool?.version, "1.10.0");
    assert.equal(run.state, "COMPLETE");
    const { jobs } = engine.runs.jobs(caller, run.run_id, {});
    const job = engine.runs.job(caller, run.run_id, jobs[0]?.job_id ?? "");
    assert.equal(job.command?.argv[0], "sh");
    assert.equal(job.exit_code, 0);
    const log = await engine.files.jobLog(run.run_id, job.job_id, "stderr");
    assert.equal(await readFile(log.path, "utf8"), "said\n");
  });

  it("answers the same run for the same idempotency key, also when both come at once", async () => {
    const body: CreateRun = { network: "shout-all", inputs: { texts: [file("one.txt")] } };
    const [one, two] = await Promise.all([create(body, "key-1"), create(body, "key-1")]);
    assert.equal(one.run_id, two.run_id);
    await assert.rejects(create({ ...body, name: "other" }, "key-1"), { code: "idempotency-key-reused" });
    await ended(one.run_id);
  });

  it("tells what it would do without doing it", async () => {
    const before = runCount();
    const plan = await engine.runs.plan(caller, {
      network: "shout-all",
      inputs: { texts: [file("one.txt"), file("two.txt")] },
    });
    assert.equal(plan.jobs_shown_of, 2);
    assert.deepEqual(plan.jobs[1]?.command?.argv.slice(0, 2), ["sh", "-c"]);
    assert.equal(plan.jobs[1]?.sample_id, "two");
    assert.equal(runCount(), before);
  });
});

describe("a request that is wrong", () => {
  const inputs = { texts: [file("one.txt")] };
  const cases: [string, CreateRun, string, Partial<Refusal["errors"][number]>][] = [
    [
      "a location that cannot be decoded",
      { network: "shout-all", inputs: { texts: [file("%zz")] } },
      "invalid-inputs",
      { pointer: "/inputs/texts/0/location" },
    ],
    [
      "a location that no file can have",
      { network: "shout-all", inputs: { texts: [file("a".repeat(300))] } },
      "invalid-inputs",
      { pointer: "/inputs/texts/0/location" },
    ],
    [
      "a location that is no text",
      { network: "shout-all", inputs: { texts: [{ class: "File", location: 7 }] } },
      "invalid-inputs",
      { pointer: "/inputs/texts/0" },
    ],
    [
      "secondary files that are no list",
      { network: "shout-all", inputs: { texts: [{ ...file("one.txt"), secondaryFiles: "x" }] } },
      "invalid-inputs",
      { pointer: "/inputs/texts/0" },
    ],
    ["an unknown network", { network: "nowhere" }, "network-not-found", {}],
    ["an unknown version", { tool: "shout", version: "9", inputs }, "version-not-found", {}],
    ["neither network nor tool", { inputs }, "invalid-body", { pointer: "/network" }],
    [
      "a missing input",
      { network: "shout-all", inputs: {} },
      "invalid-inputs",
      { pointer: "/inputs/texts", code: "missing" },
    ],
    [
      "a wrong type",
      { network: "shout-all", inputs: { texts: "one.txt" } },
      "invalid-inputs",
      { pointer: "/inputs/texts" },
    ],
    [
      "a wrong type deep inside",
      { network: "shout-all", inputs: { texts: [file("one.txt"), 7] } },
      "invalid-inputs",
      { pointer: "/inputs/texts/1" },
    ],
    [
      "a file that is not there",
      { network: "shout-all", inputs: { texts: [file("one.txt"), file("three.txt")] } },
      "invalid-inputs",
      { pointer: "/inputs/texts/1/location", code: "missing-file" },
    ],
    [
      "a file outside the allowed folders",
      { network: "shout-all", inputs: { texts: [{ class: "File", location: "/etc/passwd" }] } },
      "invalid-inputs",
      { pointer: "/inputs/texts/0/location", code: "file-not-allowed" },
    ],
    [
      "a path that climbs out",
      { network: "shout-all", inputs: { texts: [file("../../state/weft.db")] } },
      "invalid-inputs",
      { code: "missing-file" },
    ],
    [
      "an address of the web",
      { network: "shout-all", inputs: { texts: [{ class: "File", location: "http://127.0.0.1:1/x" }] } },
      "invalid-inputs",
      { code: "file-not-allowed" },
    ],
    [
      "a misspelt input",
      { network: "shout-all", inputs: { ...inputs, nota: "x" } },
      "invalid-inputs",
      { pointer: "/inputs/nota" },
    ],
    [
      "a document with an error in line 12",
      { network: "broken", inputs: {} },
      "invalid-document",
      { file: "networks/broken/broken.cwl", line: 12 },
    ],
  ];
  for (const [name, body, code, error] of cases) {
    it(`refuses ${name} and starts nothing`, async () => {
      const before = runCount();
      const refusal = await create(body).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.ok(refusal instanceof Refusal, String(refusal));
      assert.equal(refusal.code, code);
      const [first = {}] = refusal.errors;
      for (const [field, value] of Object.entries(error))
        assert.deepEqual((first as Record<string, unknown>)[field], value, JSON.stringify(refusal.errors));
      assert.equal(runCount(), before);
    });
  }

  it("refuses a link that leads out of a data folder", async () => {
    await symlink("/etc/hostname", join(catalogFolder, "data", "leak.txt"));
    await assert.rejects(create({ network: "shout-all", inputs: { texts: [file("leak.txt")] } }), {
      code: "invalid-inputs",
    });
  });
});

describe("a run whose jobs fail", () => {
  it("ends with the first failure's reason and what the job wrote", async () => {
    const run = await runToEnd({ network: "act-all", inputs: { hows: ["3"] } });
    assert.equal(run.state, "EXECUTOR_ERROR");
    assert.equal(run.outcome, "failure");
    assert.equal(run.state_reason?.code, "TOOL_EXIT");
    assert.match(run.state_reason?.message ?? "", /act-0.*exit code 3/);
    const job = engine.runs.job(caller, run.run_id, run.state_reason?.job_id ?? "");
    assert.equal(job.exit_code, 3);
    assert.equal(job.stderr_tail, "acting 3");
  });

  it("gives what there is when it may continue", async () => {
    const run = await runToEnd({
      network: "act-all",
      inputs: { hows: ["3", "0"] },
      options: { on_failure: "continue" },
    });
    assert.equal(run.state, "EXECUTOR_ERROR");
    assert.equal(run.outcome, "partial");
    assert.ok(run.outputs?.["other"]);
    assert.deepEqual(run.job_counts, { EXECUTOR_ERROR: 1, COMPLETE: 2 });
  });

  it("ends what runs when it is told to stop at once", async () => {
    const run = await runToEnd({
      network: "act-all",
      inputs: { hows: ["hang", "3"] },
      options: { on_failure: "stop_now", cache: "off" },
    });
    assert.equal(run.state, "EXECUTOR_ERROR");
    assert.deepEqual(run.job_counts, { EXECUTOR_ERROR: 1, CANCELED: 2 });
    assert.deepEqual(jobProcesses({ runId: run.run_id }), []);
  });
});

describe("a job that fails", () => {
  const attemptsOf = (runId: string, jobId: string) =>
    engine.runs.job(caller, runId, jobId).attempts.map(({ attempt, exit_code }) => [attempt, exit_code]);

  it("is tried again as often as the run says, each time in a folder of its own", async () => {
    const run = await runToEnd({ tool: "act", inputs: { how: "3" }, options: { retries: 2 } });
    assert.deepEqual([run.state, run.job_counts], ["EXECUTOR_ERROR", { EXECUTOR_ERROR: 1 }]);
    const [job] = engine.runs.jobs(caller, run.run_id, {}).jobs;
    assert.deepEqual(attemptsOf(run.run_id, job?.job_id ?? ""), [
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    assert.match(engine.runs.job(caller, run.run_id, job?.job_id ?? "").command?.workdir ?? "", /@3/);
  });

  it("gives the outputs of the attempt that did well alone", async () => {
    const counter = join(root, "counter");
    const run = await runToEnd({ tool: "third-time", inputs: { counter }, options: {} });
    assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
    const job = engine.runs.jobs(caller, run.run_id, {}).jobs[0];
    assert.equal(job?.attempt, 3);
    const { files } = engine.runs.findFiles(caller, { run: run.run_id, direction: "output" });
    assert.equal(files.filter(({ job_id }) => job_id === job?.job_id).length, 1);
  });

  it("can be aborted while it waits for the next attempt", async () => {
    const { run_id: runId } = await create({ tool: "act", inputs: { how: "3" }, options: { retries: 3 } });
    await until(runId, (run) => engine.runs.jobs(caller, runId, {}).jobs[0]?.attempt === 4 && run.state === "RUNNING");
    const waiting = engine.runs.jobs(caller, runId, {}).jobs[0];
    assert.match(
      waiting?.state_reason?.message ?? "",
      /^attempt 3 failed \(.*exit code 3\); attempt 4 follows after 600 s$/,
    );
    assert.equal((await engine.runs.abort(caller, runId, 20_000)).state, "CANCELED");
    assert.deepEqual(engine.runs.get(caller, runId).job_counts, { CANCELED: 1 });
  });
});

describe("a job that waits", () => {
  it("says for what, in its record and in the list", async () => {
    const { run_id: runId } = await create({
      network: "act-all",
      inputs: { hows: ["hang", "hang"] },
      options: { max_parallel_jobs: 1 },
    });
    await until(runId, (run) => run.job_counts.RUNNING === 1);
    const waiting = engine.runs.jobs(caller, runId, { state: ["QUEUED"] }).jobs[0];
    assert.deepEqual(waiting?.state_reason, { code: "WAITING", message: "the run runs at most 1 job at a time" });
    const { backend } = engine.runs.job(caller, runId, waiting?.job_id ?? "");
    assert.equal(backend.reason, "the run runs at most 1 job at a time");
    assert.equal((await engine.runs.abort(caller, runId, 20_000)).state, "CANCELED");
  });
});

describe("an abort", () => {
  it("leaves no process and says so, however often it is asked", async () => {
    const { run_id: runId } = await create({
      network: "act-all",
      inputs: { hows: Array.from({ length: 20 }, () => "hang") },
    });
    while (jobProcesses({ runId }).length < 4) await new Promise((resolve) => setImmediate(resolve));
    const [one, two] = await Promise.all([
      engine.runs.abort(caller, runId, 20_000),
      engine.runs.abort(caller, runId, 20_000),
    ]);
    assert.deepEqual([one.state, two.state], ["CANCELED", "CANCELED"]);
    assert.deepEqual(jobProcesses({ runId }), []);
    const run = engine.runs.get(caller, runId);
    assert.equal(run.outcome, "canceled");
    assert.equal(run.abort?.requested_by, "ann");
    assert.ok(run.abort?.confirmed_at);
    assert.equal(
      Object.values(run.job_counts).reduce((sum, count) => sum + count, 0),
      (run.job_counts.CANCELED ?? 0) + (run.job_counts.COMPLETE ?? 0),
    );
  });

  it("right after the start, and of a run that has ended", async () => {
    const { run_id: runId } = await create({ network: "act-all", inputs: { hows: ["hang", "hang"] } });
    assert.equal((await engine.runs.abort(caller, runId, 20_000)).state, "CANCELED");
    const done = await runToEnd({ tool: "shout", inputs: { text: file("one.txt") } });
    assert.equal((await engine.runs.abort(caller, done.run_id, 1000)).state, "COMPLETE");
    await assert.rejects(engine.runs.abort(caller, "none", 1), { code: "run-not-found" });
  });
});

describe("a job whose staging an earlier server had begun", () => {
  it("is staged anew", async () => {
    const stop = engine.events.subscribe((events) => {
      for (const event of events.filter(({ type }) => type === "job.queued")) {
        const folder = join(root, "state/runs", event.run_id ?? "", "jobs", event.job_id ?? "", "a1");
        mkdirSync(join(folder, "tmp"), { recursive: true });
        mkdirSync(join(folder, "in", "0", "one.txt"), { recursive: true });
      }
    });
    const run = await runToEnd({ network: "shout-all", inputs: { texts: [file("one.txt")] } });
    stop();
    assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
  });
});

describe("two runs of 200 jobs at once", () => {
  it("both complete, and share the machine", async () => {
    const body: CreateRun = { network: "act-all", inputs: { hows: Array.from({ length: 200 }, () => "0") } };
    const runs = await Promise.all([create(body), create(body)]);
    const [one, two] = await Promise.all(runs.map((run) => ended(run.run_id)));
    assert.deepEqual([one?.job_counts, two?.job_counts], [{ COMPLETE: 201 }, { COMPLETE: 201 }]);
    assert.ok((one?.start_time ?? "") < (two?.end_time ?? "") && (two?.start_time ?? "") < (one?.end_time ?? ""));
  });
});

describe("the catalog", () => {
  it("lists versions newest first, broken documents too, and sees an edit", async () => {
    const { tools } = engine.catalog.listTools(caller, { q: "shout" });
    const [shout] = tools;
    assert.ok(typeof shout === "object");
    assert.deepEqual(
      shout.versions.map(({ version }) => version),
      ["1.10.0", "1.9.0", "1.0.0"],
    );
    const broken = engine.catalog.getNetwork(caller, "broken", undefined);
    assert.equal(broken.validation.status, "invalid");
    assert.equal(broken.validation.issues[0]?.line, 12);
    const changed = new Promise<void>((resolve) => {
      const stop = engine.events.subscribe((events) => {
        if (events.some(({ type }) => type === "catalog.changed")) {
          stop();
          resolve();
        }
      });
    });
    await writeFile(
      join(catalogFolder, "networks/broken/broken.cwl"),
      "cwlVersion: v1.2\nclass: Workflow\ninputs: {}\noutputs: {}\nsteps: {}\n",
    );
    await changed;
    assert.equal(engine.catalog.getNetwork(caller, "broken", undefined).validation.status, "valid");
  });

  it("offers examples that can be posted as they are", async () => {
    const [example] = engine.catalog.getNetwork(caller, "shout-all", undefined).examples;
    assert.equal((await runToEnd({ network: "shout-all", inputs: example?.inputs })).state, "COMPLETE");
  });
});

describe("uploads and data folders", () => {
  it("keeps an upload with its checksums and takes it as an input", async () => {
    const stored = await engine.files.upload("näme.txt", Readable.from([Buffer.from("up"), Buffer.from("load\n")]));
    assert.equal(stored.checksum, `sha1$${createHash("sha1").update("upload\n").digest("hex")}`);
    const run = await runToEnd({ tool: "shout", inputs: { text: { class: "File", location: stored.location } } });
    assert.equal(run.state, "COMPLETE");
  });

  it("refuses what is too large or has no plain name, and leaves nothing behind", async () => {
    await assert.rejects(engine.files.upload("big", Readable.from([Buffer.alloc(2000)])), { code: "body-too-large" });
    for (const name of ["../x", "", ".", "ä".repeat(200), "a\nb"])
      await assert.rejects(engine.files.upload(name, Readable.from([])), { code: "invalid-parameters" }, name);
    const { entries } = await engine.files.browse({ location: "weft-data://uploads/" });
    for (const entry of entries) assert.match(entry.name, /^[0-9a-f-]{36}$/);
  });

  it("shows data folders and refuses everything else", async () => {
    const { entries } = await engine.files.browse({});
    assert.deepEqual(
      entries.map(({ name }) => name),
      ["catalog", "uploads"],
    );
    const { entries: data } = await engine.files.browse({ location: "weft-data://catalog/data/" });
    assert.ok(data.some(({ location }) => location === "weft-data://catalog/data/one.txt"));
    for (const location of ["weft-data://runs/", "file:///etc/", "weft-data://catalog/../", "weft-data://none/"]) {
      await assert.rejects(engine.files.browse({ location }), { code: "file-not-found" }, location);
    }
  });
});

describe("provenance", () => {
  it("says which job made an output and what that job read", async () => {
    const run = await runToEnd({ network: "shout-all", inputs: { texts: [file("one.txt")] } });
    const [output] = engine.runs.findFiles(caller, { run: run.run_id, scope: "run", direction: "output" }).files;
    assert.equal(output?.source_job_id, "shout-0");
    const [input] = engine.runs.findFiles(caller, { job: "shout-0", run: run.run_id, direction: "input" }).files;
    assert.equal(input?.name, "one.txt");
    const found = engine.runs.findFiles(caller, { checksum: output?.checksum ?? "" }).files;
    assert.ok(found.some(({ run_id: id }) => id === run.run_id));
    const prov = engine.runs.provenance(caller, run.run_id) as Record<string, Record<string, Record<string, unknown>>>;
    const made = Object.values(prov["wasGeneratedBy"] ?? {}).map((link) => link["prov:activity"]);
    assert.deepEqual(
      made.toSorted((a, b) => String(a).localeCompare(String(b))),
      ["weft:job/shout-0", "weft:run"],
    );
    for (const link of [...Object.values(prov["used"] ?? {}), ...Object.values(prov["wasGeneratedBy"] ?? {})]) {
      assert.ok(prov["entity"]?.[String(link["prov:entity"])], `${String(link["prov:entity"])} is described`);
      assert.ok(prov["activity"]?.[String(link["prov:activity"])], `${String(link["prov:activity"])} is described`);
    }
  });
});
