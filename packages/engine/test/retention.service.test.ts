import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { Readable } from "node:stream";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { openLog } from "../src/app/open-log.ts";
import { pruneFolder } from "../src/retention/prune-folder.ts";
import { StateFolderBusy } from "../src/journal/state-folder-unusable.ts";
import { caller, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { catalogExecutor, catalogFile, TEST_CATALOG } from "./test-catalog.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { runsOf } from "../src/testing/ask-runs.ts";
import { columns } from "../src/testing/columns.ts";

const executor = catalogExecutor();

const root = temporaryFolder(TEST_CATALOG);
const stateFolder = join(root, "state");
const engine = await openTestEngine(root, { executor });
after(() => engine.stop("detach"));

const texts = ["one.txt", "two.txt"].map(catalogFile);

const measured = (runId: string) => untilRun(engine, runId, ({ state, storage }) => isFinal(state) && storage !== null);
const shout = async (options: CreateRun["options"] = {}) =>
  measured(await startRun(engine, { network: "shout-all", inputs: { texts }, options }));

const outputPath = (run: Run) => {
  const [first] = (run.outputs?.["louds"] ?? []) as { readonly location: string }[];
  return decodeURIComponent(first?.location.split("/files/")[1] ?? "");
};
const jobOutput = (run: Run) => `jobs/${engine.runs.jobs(caller, run.run_id, {}).jobs[0]?.job_id}@1/out/one.loud.txt`;

describe("a run that has ended", () => {
  it("reports its size on disk, and so does the server", async () => {
    const { storage, pruned } = await shout();
    assert.ok(storage);
    assert.ok(storage.outputs_bytes > 0 && storage.logs_bytes > 0);
    assert.equal(storage.total_bytes, storage.outputs_bytes + storage.intermediate_bytes + storage.logs_bytes);
    assert.deepEqual(pruned, []);
    const { runs_storage_bytes: sums } = await engine.serverInfo(caller);
    assert.ok(sums.outputs >= storage.outputs_bytes);
  });

  it("removes its intermediate files on request; outputs and logs stay", async () => {
    const run = await untilRun(
      engine,
      (await shout({ keep_intermediate: "never" })).run_id,
      ({ pruned }) => pruned[0]?.bytes != null,
    );
    assert.deepEqual(columns(run.pruned, "part", "pruned_by"), [["intermediate", "engine"]]);
    await engine.files.runFile(caller, run.run_id, outputPath(run));
    const [job] = engine.runs.jobs(caller, run.run_id, {}).jobs;
    await engine.files.jobLog(caller, { runId: run.run_id, jobId: job?.job_id ?? "", stream: "stderr" });
    await assert.rejects(engine.files.runFile(caller, run.run_id, jobOutput(run)), {
      code: "file-pruned",
      message: /intermediate files of this run were removed because of the run's option keep_intermediate at/,
    });
  });
});

describe("a prune", () => {
  it("answers 410 for removed files, with the user and the time, and 404 for files that never existed", async () => {
    const run = await shout();
    const path = outputPath(run);
    const body = { run_id: run.run_id, parts: ["outputs" as const, "logs" as const] };
    const planned = await ask(engine, "POST /api/prune", { caller, query: { dry_run: true }, body });
    assert.deepEqual([planned.dry_run, planned.entries_total], [true, 2]);
    await engine.files.runFile(caller, run.run_id, path);
    await ask(engine, "POST /api/prune", { caller, body });
    const gone = { code: "file-pruned", message: /outputs of this run were removed by ann at 2/ };
    await assert.rejects(engine.files.runFile(caller, run.run_id, path), gone);
    const [job] = engine.runs.jobs(caller, run.run_id, {}).jobs;
    await assert.rejects(
      engine.files.jobLog(caller, { runId: run.run_id, jobId: job?.job_id ?? "", stream: "stderr" }),
      { code: "file-pruned" },
    );
    await assert.rejects(engine.files.runFile(caller, run.run_id, "jobs/none@1/out/x"), { code: "file-not-found" });
    const { files } = await runsOf(engine).findFiles(caller, { run: run.run_id, scope: "run", direction: "output" });
    assert.deepEqual([...new Set(files.map(({ url }) => url))], [null]);
    const after = engine.runs.get(caller, run.run_id);
    assert.deepEqual([after.state, after.storage?.outputs_bytes], ["COMPLETE", 0]);
  });

  it("leaves files that an open run reads, of another run or an upload", async () => {
    const first = await shout();
    const location = `weft-data://runs/${first.run_id}/${jobOutput(first)}`;
    const { location: uploaded } = await engine.files.upload(caller, "up.txt", Readable.from([Buffer.from("up\n")]));
    const [file, upload] = [location, uploaded].map((from) => ({ class: "File", location: from }));
    const open = await startRun(engine, {
      network: "shout-all",
      inputs: { texts: [file, upload], note: "held" },
      options: { priority: -1 },
    });
    const body = { run_id: first.run_id };
    const { entries } = await ask(engine, "POST /api/prune", { caller, body });
    const uploads = await ask(engine, "POST /api/prune", { caller, body: { uploads: true, older_than_ms: 0 } });
    const ended = await measured(open);
    // Whether it had ended by then or not: what it needed was there.
    assert.deepEqual([ended.state, entries.length, uploads.failed_total], ["COMPLETE", 1, 0]);
  });

  it("keeps the inputs of an open run that reproduces another", async () => {
    const first = await shout();
    const location = `weft-data://runs/${first.run_id}/${jobOutput(first)}`;
    const body = { network: "shout-all", inputs: { texts: [{ class: "File", location }] } };
    const second = await measured(await startRun(engine, body));
    const { run_id: again } = await engine.runs.reproduce(caller, second.run_id, {});
    await runsOf(engine).pause(caller, again);
    const { entries } = await ask(engine, "POST /api/prune", { caller, body: { run_id: first.run_id } });
    assert.deepEqual(columns(entries, "part", "outcome"), [["intermediate", "kept"]]);
    await runsOf(engine).resume(caller, again);
    assert.equal((await measured(again)).state, "COMPLETE");
    await ask(engine, "POST /api/prune", { caller, body: { run_id: first.run_id } });
    await assert.rejects(engine.runs.reproduce(caller, second.run_id, {}), {
      code: "conflict",
      message: /intermediate, which is being removed/,
    });
  });

  it("refuses inputs that are being removed", async () => {
    const run = await shout();
    const location = `weft-data://runs/${run.run_id}/${jobOutput(run)}`;
    await ask(engine, "POST /api/prune", { caller, body: { run_id: run.run_id } });
    await assert.rejects(startRun(engine, { network: "shout-all", inputs: { texts: [{ class: "File", location }] } }), {
      code: "invalid-inputs",
    });
  });

  it("accepts a folder that no server uses, and refuses one in use", async () => {
    const asker = { actor: "local", isDryRun: false, nowMs: Date.now() };
    const body = { older_than_ms: 0 };
    await assert.rejects(pruneFolder(stateFolder, body, { asker, log: () => {}, openLog }), StateFolderBusy);
    const run = await shout();
    await engine.stop("drain");
    const report = await pruneFolder(stateFolder, body, {
      asker: { ...asker, nowMs: Date.now() },
      log: () => {},
      openLog,
    });
    assert.ok(report.entries.some(({ id, outcome }) => id === run.run_id && outcome === "pruned"));
    assert.equal(existsSync(join(stateFolder, "runs", run.run_id, jobOutput(run))), false);
  });
});
