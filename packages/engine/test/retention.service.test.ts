import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Readable } from "node:stream";
import type { CreateRun, Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { openLog } from "../src/app/open-log.ts";
import { pruneFolder } from "../src/retention/prune-folder.ts";
import { StateFolderBusy } from "../src/journal/state-folder-unusable.ts";
import { caller, startRun, untilRun } from "../src/testing/drive-runs.ts";
import type { Prune } from "@weft/shared/records/storage-record.ts";
import { catalogFile, serveCatalog } from "./test-catalog.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { runsOf } from "../src/testing/ask-runs.ts";
import { columns } from "../src/testing/columns.ts";

const { engine, root } = await serveCatalog();
const stateFolder = join(root, "state");
const texts = ["one.txt", "two.txt"].map(catalogFile);

const measured = (runId: string) => untilRun(engine, runId, ({ state, storage }) => isFinal(state) && storage !== null);
const shout = async (options: CreateRun["options"] = {}) =>
  measured(await startRun(engine, { network: "shout-all", inputs: { texts }, options }));

const outputPath = (run: Run) => {
  const [first] = (run.outputs?.["louds"] ?? []) as { readonly location: string }[];
  return decodeURIComponent(first?.location.split("/files/")[1] ?? "");
};
const firstJob = (run: Run) => engine.runs.jobs(caller, run.run_id, {}).jobs[0]?.job_id ?? "";
const jobOutput = (run: Run) => `jobs/${firstJob(run)}@1/out/one.loud.txt`;
const errorsOf = (run: Run) =>
  engine.files.jobLog(caller, { runId: run.run_id, jobId: firstJob(run), stream: "stderr" });
/** The output of the first job of a run, as an input. */
const madeBy = (run: Run) => ({ class: "File", location: `weft-data://runs/${run.run_id}/${jobOutput(run)}` });
const prune = (body: Prune, query = {}) => ask(engine, "POST /api/prune", { caller, query, body });

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
    const { run_id } = await shout({ keep_intermediate: "never" });
    const run = await untilRun(engine, run_id, ({ pruned }) => pruned[0]?.bytes != null);
    assert.deepEqual(columns(run.pruned, "part", "pruned_by"), [["intermediate", "engine"]]);
    await engine.files.runFile(caller, run.run_id, outputPath(run));
    await errorsOf(run);
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
    const planned = await prune(body, { dry_run: true });
    assert.deepEqual([planned.dry_run, planned.entries_total], [true, 2]);
    await engine.files.runFile(caller, run.run_id, path);
    await prune(body);
    const gone = { code: "file-pruned", message: /outputs of this run were removed by ann at 2/ };
    await assert.rejects(engine.files.runFile(caller, run.run_id, path), gone);
    await assert.rejects(errorsOf(run), { code: "file-pruned" });
    await assert.rejects(engine.files.runFile(caller, run.run_id, "jobs/none@1/out/x"), { code: "file-not-found" });
    const { files } = await runsOf(engine).findFiles(caller, { run: run.run_id, scope: "run", direction: "output" });
    assert.deepEqual([...new Set(files.map(({ url }) => url))], [null]);
    const after = engine.runs.get(caller, run.run_id);
    assert.deepEqual([after.state, after.storage?.outputs_bytes], ["COMPLETE", 0]);
  });

  it("leaves files that an open run reads, of another run or an upload", async () => {
    const first = await shout();
    const { location } = await engine.files.upload(caller, "up.txt", Readable.from([Buffer.from("up\n")]));
    const inputs = { texts: [madeBy(first), { class: "File", location }], note: "held" };
    const open = await startRun(engine, { network: "shout-all", inputs, options: { priority: -1 } });
    const { entries } = await prune({ run_id: first.run_id });
    const uploads = await prune({ uploads: true, older_than_ms: 0 });
    const ended = await measured(open);
    // Whether it had ended by then or not: what it needed was there.
    assert.deepEqual([ended.state, entries.length, uploads.failed_total], ["COMPLETE", 1, 0]);
  });

  it("keeps the inputs of an open run that reproduces another", async () => {
    const first = await shout();
    const body = { network: "shout-all", inputs: { texts: [madeBy(first)] } };
    const second = await measured(await startRun(engine, body));
    const { run_id: again } = await engine.runs.reproduce(caller, second.run_id, {});
    await runsOf(engine).pause(caller, again);
    const { entries } = await prune({ run_id: first.run_id });
    assert.deepEqual(columns(entries, "part", "outcome"), [["intermediate", "kept"]]);
    await runsOf(engine).resume(caller, again);
    assert.equal((await measured(again)).state, "COMPLETE");
    await prune({ run_id: first.run_id });
    const reproduction = engine.runs.reproduce(caller, second.run_id, {});
    await assert.rejects(reproduction, { code: "conflict", message: /intermediate, which is being removed/ });
  });

  it("refuses inputs that are being removed", async () => {
    const run = await shout();
    await prune({ run_id: run.run_id });
    const body = { network: "shout-all", inputs: { texts: [madeBy(run)] } };
    await assert.rejects(startRun(engine, body), { code: "invalid-inputs" });
  });

  it("accepts a folder that no server uses, and refuses one in use", async () => {
    const pruneAll = () => {
      const asker = { actor: "local", isDryRun: false, nowMs: Date.now() };
      return pruneFolder(stateFolder, { older_than_ms: 0 }, { asker, log: () => {}, openLog });
    };
    await assert.rejects(pruneAll(), StateFolderBusy);
    const run = await shout();
    await engine.stop("drain");
    const report = await pruneAll();
    assert.ok(report.entries.some(({ id, outcome }) => id === run.run_id && outcome === "pruned"));
    assert.equal(existsSync(join(stateFolder, "runs", run.run_id, jobOutput(run))), false);
  });
});
