import assert from "node:assert/strict";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { column } from "../src/testing/columns.ts";
import { describe, it } from "node:test";
import { createLinks } from "@weft/shared/links.ts";
import type { Caller } from "../src/port/caller.ts";
import { writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { runToEnd } from "../src/testing/drive-runs.ts";
import { serveFiles } from "../src/testing/serve-files.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { provenanceOf, runsOf } from "../src/testing/ask-runs.ts";

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

async function run(caller: Caller, location: string, more: Record<string, unknown> = {}): Promise<string> {
  const inputs = { text: { class: "File", location }, ...more };
  return (await runToEnd(engine, { tool: "copy", inputs }, caller)).run_id;
}

const files = { "catalog/tools/copy/1.0.0/copy.cwl": COPY, "data/one.txt": "one" };
const { engine, root } = await serveFiles(files, { data: ["data"], jobs: 1, sharesResults: false });
const state = join(root, "state");
await symlink(join(state, "runs"), join(root, "data/way-round"));
const annsRun = await run(ann, "weft-data://data/one.txt");

describe("a caller who sees only their own runs", () => {
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
    const found = await ask(engine, "GET /api/files", { caller: bob, query: { q: "DA" } });
    assert.deepEqual(column(found.entries, "name"), ["data"]);
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

  it("does not learn of hidden runs from an equal one", async () => {
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
