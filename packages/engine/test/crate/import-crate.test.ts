import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Verdict } from "@weft/shared/records/comparison-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { Engine } from "../../src/port/engine.ts";
import { openEngine } from "../../src/app/open-engine.ts";
import { verifyState } from "../../src/provenance/verify/verify-state.ts";
import { caller, CrateRuns, file, nested } from "./crate-runs.ts";

const [there, here, third] = [await CrateRuns.open(), await CrateRuns.open(), await CrateRuns.open()];
const bob = { ...caller, principal: "bob" };

const importFolder = (path: string) => here.engine.provenance.importCrate(bob, { kind: "folder", path });

async function bring(run: Run): Promise<Run> {
  return importFolder((await there.crateOf(run)).folder);
}

describe("a run that is imported from its crate", () => {
  for (const kind of there.kinds())
    it(`has the same files, jobs and times as where it was made: ${kind.what}`, async () => {
      const run = await there.runKind(kind);
      const brought = await bring(run);
      assert.deepEqual(here.filesOf(brought.run_id), there.filesOf(run.run_id));
      for (const field of ["name", "state", "outcome", "state_reason", "created_at", "start_time", "end_time"] as const)
        assert.deepEqual(brought[field], run[field], field);
      for (const field of ["tags", "options", "samples", "step_counts", "job_counts"] as const)
        assert.deepEqual(brought[field], run[field], field);
      const jobs = ({ engine }: CrateRuns, runId: string) =>
        engine.runs.jobs(caller, runId, { page_size: 500 }).jobs.map(({ job_id }) => {
          const { timing, exit_code, tool, resources, command, attempts } = engine.runs.job(caller, runId, job_id);
          return { job_id, timing, exit_code, tool: tool.id, resources, command, attempts: attempts.length };
        });
      assert.deepEqual(jobs(here, brought.run_id), jobs(there, run.run_id));
    });

  it("says where it was made and by whom, belongs to who brought it, and cannot be retried in place", async () => {
    const run = await there.run(nested);
    const brought = await bring(run);
    assert.notEqual(brought.run_id, run.run_id);
    assert.equal(brought.owner, "bob");
    const { imported } = brought;
    assert.deepEqual(
      [imported?.made_as, imported?.made_by, imported?.made_at, imported?.imported_by],
      [run.run_id, "ann", run.created_at, "bob"],
    );
    const engine = { version: "7.8.9", platform: `${process.platform}-${process.arch}` };
    assert.deepEqual([run.engine, brought.engine], [engine, engine]);
    const retry = here.engine.runs.retry(bob, brought.run_id, { body: {}, idempotencyKey: undefined });
    await assert.rejects(retry, { code: "conflict", message: /made elsewhere.*Reproduce it/ });
  });

  it("gives its outputs, logs and inputs to be read, and keeps to its own folder", async () => {
    const run = await there.run({ tool: "shout", version: "1.2.0", inputs: { text: file("one.bam"), word: "w" } });
    const brought = await bring(run);
    const { files } = here.engine;
    const output = await files.runFile(caller, brought.run_id, "outputs/one.loud.txt");
    assert.equal(await readFile(output.path, "utf8"), "ONE\n");
    assert.equal(
      await readFile(
        (await files.jobLog(caller, { runId: brought.run_id, jobId: "main", stream: "stderr" })).path,
        "utf8",
      ),
      "said w\n",
    );
    const text = brought.inputs["text"] as { readonly location: string }; // as the tool declares it
    assert.match(text.location, new RegExp(`/runs/${brought.run_id}/files/inputs/one\\.bam$`));
    const root = join(here.root, "state/runs", brought.run_id);
    const folders = await readdir(root);
    assert.deepEqual(folders.sort(), ["inputs", "jobs", "outputs"]);
  });

  it("is found by the content of a file, beside runs of this server", async () => {
    const run = await there.run({ network: "shout-all", inputs: { texts: [file("one.txt")] } });
    const brought = await bring(run);
    const own = await here.run({ network: "shout-all", inputs: { texts: [file("one.txt")] } });
    const made = there.engine.runs.findFiles(caller, { run: run.run_id, direction: "output", scope: "run" }).files[0];
    const { files } = here.engine.runs.findFiles(caller, {
      checksum: made?.checksum ?? "",
      direction: "output",
      scope: "run",
    });
    const found = new Set(files.map(({ run_id }) => run_id));
    assert.ok(found.has(brought.run_id) && found.has(own.run_id));
  });

  it("is no run to take results from, nor one that a later job is compared with", async () => {
    const inputs = { text: file("other/one.bam"), word: "only here" };
    await bring(await there.run({ tool: "shout", version: "1.2.0", inputs }));
    const own = await here.run({ tool: "shout", version: "1.2.0", inputs });
    assert.equal(own.progress.jobs_cached, 0);
  });

  it("is reproduced from what it brought with it, and the verdict speaks of it", async () => {
    const brought = await bring(await there.run(nested));
    const { run_id: runId } = await here.engine.runs.reproduce(bob, brought.run_id, {});
    const verdict = await verdictOf(here.engine, runId);
    assert.equal(here.engine.runs.get(bob, runId).reproduction?.of, brought.run_id);
    assert.equal(verdict.result, "identical", verdict.sentence);
    assert.ok(verdict.outputs_compared > 0);
  });

  it("brings along what its document names itself, so that it is reproduced where the catalog has no such tool", async (t) => {
    const bare = { ...third.options, stateFolder: join(third.root, "bare"), catalogFolder: join(third.root, "none") };
    const engine = await openEngine(bare);
    t.after(() => engine.stop("cancel"));
    for (const body of [
      { tool: "scripted", inputs: { word: "so" } },
      { network: "say", inputs: { word: "so" } },
    ]) {
      const { folder } = await there.crateOf(await there.run(body));
      const brought = await engine.provenance.importCrate(caller, { kind: "folder", path: folder });
      const { run_id: runId } = await engine.runs.reproduce(caller, brought.run_id, {});
      const verdict = await verdictOf(engine, runId);
      assert.equal(verdict.result, "identical", verdict.sentence);
    }
  });

  it("is exported again with the events as they were chained where it was made, and can go on to a third server", async () => {
    const run = await there.run(nested);
    const first = await there.crateOf(run);
    const brought = await importFolder(first.folder);
    const second = await here.crateOf(brought);
    assert.deepEqual([second.violations, second.wishes], [[], []]);
    for (const name of ["weft/events.jsonl", "weft/documents.jsonl"])
      assert.equal(await readFile(join(second.folder, name), "utf8"), await readFile(join(first.folder, name), "utf8"));
    const arrived = await third.engine.provenance.importCrate(caller, { kind: "folder", path: second.folder });
    assert.equal(arrived.imported?.made_as, run.run_id);
    assert.deepEqual(third.filesOf(arrived.run_id), there.filesOf(run.run_id));
  });

  it("comes as the zip that a server sends as well", async () => {
    const run = await there.run(nested);
    const { open } = await there.engine.provenance.crateArchive(caller, run.run_id);
    const brought = await here.engine.provenance.importCrate(bob, { kind: "zip", content: open() });
    assert.deepEqual(here.filesOf(brought.run_id), there.filesOf(run.run_id));
  });

  it("stands in the chain of this server: verify finds a file of it that was changed", async () => {
    const brought = await bring(await there.run(nested));
    const state = { stateFolder: join(here.root, "state"), dataFolders: {}, expected: undefined, withFiles: true };
    assert.deepEqual((await verifyState(state)).findings, []);
    const path = join(here.root, "state/runs", brought.run_id, "outputs/joined.bam");
    const text = await readFile(path, "utf8");
    await appendFile(path, "!");
    const [finding] = (await verifyState(state)).findings;
    assert.match(finding?.subject ?? "", /joined\.bam/);
    await writeFile(path, text);
  });
});

describe("an import", () => {
  const left = () => readdir(join(here.root, "state/imports"));
  const count = () => here.engine.runs.list(caller, {}).total;

  it("is refused a second time, and where the run was made, without leaving anything", async () => {
    const run = await there.run(nested);
    const crate = await there.crateOf(run);
    await importFolder(crate.folder);
    await assert.rejects(importFolder(crate.folder), {
      code: "conflict",
      message: /was imported already; it is \S+ here/,
    });
    const own = there.engine.provenance.importCrate(caller, { kind: "folder", path: crate.folder });
    await assert.rejects(own, { code: "conflict", message: /has made the run/ });
    assert.deepEqual(await left(), []);
  });

  const changes: [string, (folder: string) => Promise<unknown>, RegExp][] = [
    [
      "an output was changed",
      (at) => appendFile(join(at, "outputs/joined.bam"), "!"),
      /file outputs\/joined\.bam: its content/,
    ],
    ["a file is missing", (at) => rm(join(at, "outputs/joined.bam")), /file outputs\/joined\.bam: is gone/],
    ["a file was added", (at) => writeFile(join(at, "more.txt"), ""), /more\.txt: is not listed/],
    [
      "an event was changed",
      (at) => replaceIn(join(at, "weft/events.jsonl"), '"exit_code":0', '"exit_code":1'),
      /file weft\/events\.jsonl: its content/,
    ],
    ["a link leads out of it", (at) => symlink("/etc/passwd", join(at, "outputs/link")), /is a link or a device/],
    ["it has no metadata", (at) => rm(join(at, "ro-crate-metadata.json")), /This is no crate/],
  ];
  for (const [what, change, expected] of changes)
    it(`is refused, naming what is wrong, where ${what}`, async () => {
      const { folder } = await there.crateOf(await there.run(nested));
      const copy = `${folder}-changed`;
      await cp(folder, copy, { recursive: true });
      await change(copy);
      const before = count();
      await assert.rejects(importFolder(copy), { code: "invalid-crate", message: expected });
      assert.deepEqual([await left(), count()], [[], before]);
    });

  const hostile: [string, string, (line: Record<string, unknown>) => unknown][] = [
    ["an event without data", "events", ({ data: _data, ...rest }) => rest],
    ["an event whose data are null", "events", (line) => ({ ...line, data: null })],
    ["an event whose data are a list", "events", (line) => ({ ...line, data: [] })],
    ["an event that is a number", "events", () => 5],
    ["an event that is null", "events", () => null],
    [
      "an event whose files are null",
      "events",
      (line) => ({ ...line, data: { ...(line["data"] as object), files: [null] } }),
    ],
    ["an event at no time", "events", (line) => ({ ...line, time: 7 })],
    ["a document without text", "documents", ({ digest }) => ({ digest })],
    ["a document that is null", "documents", () => null],
    ["a document with numbers", "documents", () => ({ digest: 1, text: 2 })],
    ["an address without a name", "files", () => ({ uri: 5 })],
  ];
  for (const [what, file, change] of hostile)
    it(`is refused or ignores it, and does not fail, where it was made by hand with ${what}`, async () => {
      const { folder } = await there.crateOf(await there.run(nested));
      const copy = `${folder}-by-hand`;
      await rm(copy, { recursive: true, force: true });
      await cp(folder, copy, { recursive: true });
      await rewriteLines(copy, `weft/${file}.jsonl`, change);
      const outcome = await importFolder(copy).catch((error: unknown) => error);
      const isRefused = outcome instanceof Refusal && ["invalid-crate", "conflict"].includes(outcome.code);
      assert.ok(isRefused || (file === "files" && !(outcome instanceof Error)), String(outcome));
    });

  for (const entity of [null, 5, [], { "@type": "File", "@id": 5 }, { "@type": 5, "@id": "x" }])
    it(`is refused, and does not fail, where its metadata hold ${JSON.stringify(entity)}`, async () => {
      const { folder } = await there.crateOf(await there.run(nested));
      const copy = `${folder}-entity`;
      await rm(copy, { recursive: true, force: true });
      await cp(folder, copy, { recursive: true });
      const path = join(copy, "ro-crate-metadata.json");
      const metadata = JSON.parse(await readFile(path, "utf8"));
      // In place of the first file: what it listed is no longer listed.
      const index = metadata["@graph"].findIndex((each: { sha256?: string }) => each.sha256 !== undefined);
      metadata["@graph"][index] = entity;
      await writeFile(path, JSON.stringify(metadata));
      await assert.rejects(importFolder(copy), { code: "invalid-crate" });
    });

  it("is refused where it would take more room than uploads may", async () => {
    const { folder } = await there.crateOf(await there.run(nested));
    const copy = `${folder}-large`;
    await cp(folder, copy, { recursive: true });
    await writeFile(join(copy, "large"), Buffer.alloc(CrateRuns.maxBytes));
    await assert.rejects(importFolder(copy), { code: "body-too-large" });
    const zip = createReadStream(join(copy, "large"));
    const asZip = here.engine.provenance.importCrate(bob, { kind: "zip", content: zip });
    await assert.rejects(asZip, { code: "invalid-crate", message: /not a zip file/ });
  });

  it("that was broken off leaves nothing at the next start, and touches no run that is on record", async (t) => {
    const options = { ...third.options, stateFolder: join(third.root, "broken-off") };
    const engine = await openEngine(options);
    // What fails on the way must not leave an engine that keeps the tests from ending.
    t.after(() => engine.stop("cancel"));
    const { folder } = await there.crateOf(await there.run(nested));
    const kept = await engine.provenance.importCrate(caller, { kind: "folder", path: folder });
    await engine.stop("cancel");
    const state = options.stateFolder;
    const orphan = "019a9c5e-7b1a-7cc0-8000-3f2b1c0d9e8f";
    for (const runId of [orphan, kept.run_id]) {
      await mkdir(join(state, "imports", `of-${runId}`, "crate"), { recursive: true });
      await writeFile(join(state, "imports", `of-${runId}`, "run-id"), runId);
    }
    await mkdir(join(state, "runs", orphan, "outputs"), { recursive: true });
    const again = await openEngine(options);
    t.after(() => again.stop("cancel"));
    assert.deepEqual(await readdir(join(state, "imports")), []);
    assert.deepEqual(await readdir(join(state, "runs")), [kept.run_id]);
  });
});

/** Fails where nothing happens any more: a test that waits for ever tells nothing. */
async function verdictOf({ runs }: Engine, runId: string): Promise<Verdict> {
  for (let silences = 0; silences < 3;) {
    const { reproduction, revision } = runs.get(caller, runId);
    if (reproduction?.verdict != null) return reproduction.verdict;
    await runs.waitForChange(caller, runId, {
      revision: revision,
      timeoutMs: 10_000,
      signal: new AbortController().signal,
    });
    if (runs.get(caller, runId).revision === revision) silences += 1;
  }
  return assert.fail(`the run ${runId} got no verdict: ${runs.get(caller, runId).state}`);
}

/** Changes every line of a file of a crate, and the checksums that vouch for it, as whoever makes a crate by hand would. */
async function rewriteLines(
  crate: string,
  name: string,
  change: (line: Record<string, unknown>) => unknown,
): Promise<void> {
  const path = join(crate, name);
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  const changed = lines.map((line) => `${JSON.stringify(change(JSON.parse(line)))}\n`).join("");
  await writeFile(path, changed);
  const metadataPath = join(crate, "ro-crate-metadata.json");
  const metadata = JSON.parse(await readFile(metadataPath, "utf8"));
  for (const entity of metadata["@graph"])
    if (entity["@id"] === name) entity.sha256 = createHash("sha256").update(changed).digest("hex");
  await writeFile(metadataPath, JSON.stringify(metadata));
}

async function replaceIn(path: string, from: string, to: string): Promise<void> {
  const text = await readFile(path, "utf8");
  assert.ok(text.includes(from));
  await writeFile(path, text.replace(from, to));
}
