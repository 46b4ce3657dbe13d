import assert from "node:assert/strict";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { createLinks } from "@weft/shared/links.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Caller } from "../src/port/caller.ts";
import { runToEnd } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";
import { ask, askArchive } from "../src/testing/ask-engine.ts";
import { provenanceOf, runsOf } from "../src/testing/ask-runs.ts";

const executor = new ScriptedExecutor();

const COPY = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: cat
inputs:
  text: {type: File, inputBinding: {}}
  all: Directory?
stdout: copy.txt
outputs: {copy: stdout}
`;

const links = createLinks("http://weft.test");
const ann: Caller = { principal: "ann", links, othersRuns: "hidden" };
const bob: Caller = { principal: "bob", links, othersRuns: "hidden" };
const visitor: Caller = { principal: "bob", links, othersRuns: "visible" };
const root = temporaryFolder();
const state = join(root, "state");
const EXACT = { relative: 0, absolute: 0 };
let annsRun: string;

async function run(caller: Caller, location: string, more: Record<string, unknown> = {}): Promise<string> {
  const inputs = { text: { class: "File", location }, ...more };
  return (await runToEnd(engine, { tool: "copy", inputs }, caller)).run_id;
}

writeFiles(root, { "catalog/tools/copy/1.0.0/copy.cwl": COPY, "data/one.txt": "one" });
await symlink(join(state, "runs"), join(root, "data/way-round"));
const engine = await openTestEngine(root, {
  executor,
  dataFolders: { data: join(root, "data") },
  jobs: 1,
  container: "none",
  sharesResults: false,
});
annsRun = await run(ann, "weft-data://data/one.txt");
after(() => engine.stop("cancel"));

describe("a caller who sees only their own runs", () => {
  it("cannot distinguish another user's run from a missing one", async () => {
    const asks: readonly ((runId: string) => unknown)[] = [
      (runId) => engine.runs.get(bob, runId),
      (runId) => engine.runs.status(bob, runId),
      (runId) => engine.runs.jobs(bob, runId, {}),
      (runId) => engine.runs.job(bob, runId, "main"),
      (runId) => ask(engine, "GET /api/runs/{run_id}/outputs", { caller: bob, params: { run_id: runId } }),
    ];
    const refusalOf = async (question: (runId: string) => unknown, runId: string) => {
      try {
        return await question(runId);
      } catch (error) {
        return error instanceof Refusal ? `${error.code} ${error.message.replace(runId, "")}` : error;
      }
    };
    const nobodys = annsRun.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    for (const question of asks) assert.equal(await refusalOf(question, annsRun), await refusalOf(question, nobodys));
  });

  it("can neither read its files and logs nor abort it, but its owner can", async () => {
    const { jobs } = engine.runs.jobs(ann, annsRun, {});
    const jobId = jobs[0]?.job_id ?? "";
    const missing = { code: "run-not-found" };
    await assert.rejects(async () => engine.files.runFile(bob, annsRun, "outputs/copy.txt"), missing);
    await assert.rejects(
      async () => engine.files.jobLog(bob, { runId: annsRun, jobId: jobId, stream: "stdout" }),
      missing,
    );
    await assert.rejects(async () => engine.runs.abort(bob, annsRun, 0), missing);
    await assert.rejects(async () => runsOf(engine).describe(bob, annsRun, { name: "mine" }), missing);
    const wait = { revision: 0, timeoutMs: 10_000, signal: AbortSignal.timeout(10_000) };
    await assert.rejects(async () => engine.runs.waitForChange(bob, annsRun, wait), missing);
    assert.equal((await engine.files.runFile(ann, annsRun, "outputs/copy.txt")).size, 3);
  });

  it("finds only their own runs, files and events, even with the owner filter", async () => {
    assert.deepEqual([engine.runs.list(ann, {}).total, engine.runs.list(bob, {}).total], [1, 0]);
    assert.equal(engine.runs.list(bob, { owner: "ann" }).total, 0);
    assert.deepEqual((await runsOf(engine).findFiles(bob, { run: annsRun })).files, []);
    assert.ok(((await runsOf(engine).findFiles(ann, {})).total ?? 0) > 0);
    const types = (caller: Caller) =>
      new Set(engine.events.page(caller, { pageSize: 500 }).events.map((event) => event.type));
    assert.ok(types(ann).has("run.created"));
    assert.deepEqual(types(bob), new Set(["server.started"]));
    assert.throws(() => engine.events.page(bob, { runId: annsRun }), { code: "run-not-found" });
    await assert.rejects(ask(engine, "GET /api/runs/{run_id}/moment", { caller: bob, params: { run_id: annsRun } }), {
      code: "run-not-found",
    });
  });

  it("receives no events of the run, but its owner does", async () => {
    const seen = { ann: new Set<string | null>(), bob: new Set<string | null>() };
    const stop = engine.events.subscribe((batch) => {
      for (const { run_id: runId } of batch.visibleTo(ann)) seen.ann.add(runId);
      for (const { run_id: runId } of batch.visibleTo(bob)) seen.bob.add(runId);
    });
    const [anns, bobs] = [await run(ann, "weft-data://data/one.txt"), await run(bob, "weft-data://data/one.txt")];
    stop();
    // An earlier run of ann's may still be measured meanwhile.
    assert.ok(seen.ann.has(anns) && !seen.ann.has(bobs));
    assert.deepEqual(seen.bob, new Set([bobs]));
  });

  it("cannot use files of hidden runs as inputs, by any form of address", async () => {
    const own = `weft-data://runs/${annsRun}/outputs/copy.txt`;
    const ways = [
      own,
      links.runFile(annsRun, "outputs/copy.txt"),
      `file://${state}/runs/${annsRun}/outputs/copy.txt`,
      `${state}/runs/${annsRun}/outputs/copy.txt`,
      `weft-data://data/way-round/${annsRun}/outputs/copy.txt`,
    ];
    for (const location of ways) await assert.rejects(run(bob, location), { code: "invalid-inputs" }, location);
    for (const location of ["weft-data://runs/", "weft-data://uploads/", "weft-data://data/way-round/"]) {
      const all = { class: "Directory", location };
      await assert.rejects(run(bob, "weft-data://data/one.txt", { all }), { code: "invalid-inputs" }, location);
    }
    assert.equal(engine.runs.status(ann, await run(ann, own)).state, "COMPLETE");
  });

  it("cannot read uploads of other users, even with their addresses", async () => {
    const upload = await engine.files.upload(ann, "mine.txt", Readable.from([Buffer.from("mine")]));
    const roots = (await ask(engine, "GET /api/files", { caller: bob })).entries.map(({ name }) => name);
    assert.deepEqual(roots, ["data", "catalog"]);
    for (const location of ["weft-data://uploads/", "weft-data://uploads", upload.location.replace(/[^/]*$/, "")])
      await assert.rejects(
        ask(engine, "GET /api/files", { caller: bob, query: { location } }),
        { code: "file-not-found" },
        location,
      );
    const path = upload.location.replace("weft-data://", "");
    for (const location of [upload.location, `file://${state}/${path}`, `${state}/${path}`]) {
      await assert.rejects(run(bob, location), { code: "invalid-inputs" }, location);
      await assert.rejects(
        ask(engine, "GET /api/files", { caller: bob, query: { location } }),
        { code: "file-not-found" },
        location,
      );
    }
    const all = { class: "Directory", location: upload.location.replace(/[^/]*$/, "") };
    await assert.rejects(run(bob, "weft-data://data/one.txt", { all }), { code: "invalid-inputs" });
    assert.equal(engine.runs.status(ann, await run(ann, upload.location)).state, "COMPLETE");
    assert.equal(engine.runs.status(visitor, await run(visitor, upload.location)).state, "COMPLETE");
  });

  it("cannot read other users' unapproved WES documents", async () => {
    const folder = join(state, "wes-documents", "a".repeat(64));
    writeFiles(folder, { "document.json": JSON.stringify({ added_by: "ann" }), "files/secret.txt": "secret" });
    const location = `weft-data://wes-documents/${"a".repeat(64)}/files/secret.txt`;
    await assert.rejects(run(bob, location), { code: "invalid-inputs" });
    assert.equal(engine.runs.status(ann, await run(ann, location)).state, "COMPLETE");
    await writeFile(join(folder, "approval.json"), "{}");
    assert.equal(engine.runs.status(bob, await run(bob, location)).state, "COMPLETE");
  });
});

describe("a caller with runs who sees only their own", () => {
  it("gets no data derived from other runs: lineage, comparison, crate, archives, retry, reproduction", async () => {
    const own = await run(bob, "weft-data://data/one.txt");
    const { jobs } = engine.runs.jobs(ann, annsRun, {});
    const jobId = jobs[0]?.job_id ?? "";
    const asks: readonly (() => unknown)[] = [
      () => provenanceOf(engine).lineage(bob, annsRun, { depth: 1 }),
      () => provenanceOf(engine).provJson(bob, annsRun),
      () => provenanceOf(engine).crateMetadata(bob, annsRun),
      () => provenanceOf(engine).crateArchive(bob, annsRun),
      () => engine.provenance.compare(bob, [own, annsRun], EXACT),
      () => engine.provenance.compare(bob, [annsRun, own], EXACT),
      () => askArchive(engine, "GET /api/runs/{run_id}/outputs.zip", { caller: bob, params: { run_id: annsRun } }),
      () =>
        askArchive(engine, "GET /api/runs/{run_id}/jobs/{job_id}/bundle", {
          caller: bob,
          params: { run_id: annsRun, job_id: jobId },
          query: { data: true },
        }),
      () => engine.runs.planRetry(bob, annsRun, {}),
      () => engine.runs.retry(bob, annsRun, { body: {}, idempotencyKey: undefined }),
      () => engine.runs.reproduce(bob, annsRun, {}),
      () => runsOf(engine).pause(bob, annsRun),
    ];
    for (const ask of asks) await assert.rejects(async () => ask(), { code: "run-not-found" }, ask.toString());
  });

  it("does not learn of them from an equal run", async () => {
    const own = await run(bob, "weft-data://data/one.txt");
    const { jobs } = engine.runs.jobs(bob, own, {});
    const answers = [
      engine.runs.get(bob, own),
      engine.runs.job(bob, own, jobs[0]?.job_id ?? ""),
      provenanceOf(engine).lineage(bob, own, { depth: 5 }),
      JSON.parse((await provenanceOf(engine).provJson(bob, own)).bytes.toString()),
      engine.events.page(bob, { runId: own, pageSize: 500 }),
      await runsOf(engine).findFiles(bob, {}),
      await engine.runs.plan(bob, {
        tool: "copy",
        inputs: { text: { class: "File", location: "weft-data://data/one.txt" } },
      }),
    ];
    for (const [index, answer] of answers.entries())
      assert.ok(!JSON.stringify(answer).includes(annsRun), `answer ${index} names the run`);
  });
});

describe("a caller who sees all runs", () => {
  it("cannot abort other users' runs, and learns who owns them", async () => {
    assert.equal(engine.runs.get(visitor, annsRun).owner, "ann");
    await assert.rejects(engine.runs.abort(visitor, annsRun, 0), { code: "forbidden", message: /belongs to ann/ });
  });

  it("cannot browse the folder of runs, by any spelling of its path", async () => {
    for (const location of [
      "weft-data://runs",
      "weft-data://runs/",
      `file://${state}/runs`,
      "weft-data://data/way-round/",
    ])
      await assert.rejects(
        ask(engine, "GET /api/files", { caller: visitor, query: { location } }),
        { code: "file-not-found" },
        location,
      );
  });
});
