import assert from "node:assert/strict";
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Run } from "@weft/shared/records/run-record.ts";
import { verifyCrate } from "../../src/provenance/verify/verify-crate.ts";
import { verifyState } from "../../src/provenance/verify/verify-state.ts";
import { caller, CrateRuns, file, nested } from "./crate-runs.ts";
import { provenanceOf, runsOf } from "../../src/testing/ask-runs.ts";
import { column, columns } from "../../src/testing/columns.ts";
import { retryRun, verdictOf } from "../../src/testing/drive-runs.ts";

const there = await CrateRuns.open();
const here = await CrateRuns.open({ maxUploadBytes: 10 * CrateRuns.maxBytes });
const withoutCatalog = await CrateRuns.open({ catalogFolder: join(there.root, "none") });
const bob = { ...caller, principal: "bob" };

const importFolder = (path: string) => here.importFolder(path, bob);

/** A run that several tests compare on its original server and after its import. */
const made = await there.run(nested);
const crate = await there.crateOf(made);
const arrived = await importFolder(crate.folder);

async function importRun(run: Run): Promise<Run> {
  return importFolder((await there.crateOf(run)).folder);
}

describe("a run that is imported from its crate", () => {
  for (const kind of there.kinds())
    it(`has the same files, jobs and times as on the original server: ${kind.what}`, async () => {
      const run = await there.runKind(kind);
      const brought = await importRun(run);
      assert.deepEqual(await here.filesOf(brought.run_id), await there.filesOf(run.run_id));
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

  it("has all of many outputs, which come in several events", async () => {
    const run = await there.run({ tool: "parts", inputs: {} });
    const { events } = there.engine.events.page(caller, { runId: run.run_id, pageSize: 100 });
    const parts = events.flatMap((event) => (event.type === "run.outputs" ? [event.data] : []));
    assert.deepEqual(
      parts.map(({ first, files }) => [first, files.length]),
      [
        [0, 500],
        [500, 500],
      ],
    );
    const end = events.find((event) => event.type === "run.ended");
    assert.deepEqual([end?.data.files.length, end?.data.files_before], [100, 1000]);
    const { folder } = await there.crateOf(run);
    const brought = await importFolder(folder);
    const outputsIn = ({ engine }: CrateRuns, { run_id: id }: Run) =>
      runsOf(engine).findFiles(caller, { run: id, scope: "run", direction: "output", q: "part-", page_size: 500 });
    const [first, second] = [await outputsIn(there, run), await outputsIn(here, brought)];
    assert.deepEqual(
      columns(second.files, "name", "sha256"),
      first.files.map(({ name, sha256 }) => [name, sha256]),
    );
    assert.notEqual(first.next_page_token, "");
    assert.deepEqual((await verifyCrate(folder)).findings, []);
    await writeFile(join(folder, "outputs/part-aaaa"), "changed\n");
    assert.ok((await verifyCrate(folder)).findings.length > 0);
  });

  it("keeps empty folders, also those within others", async () => {
    const run = await there.run({ network: "empty-folders-twice", inputs: {} });
    const brought = await importRun(run);
    const folders = async (runs: CrateRuns, of: Run) => (await runs.crateOf(of)).of("Dataset").map((one) => one["@id"]);
    const before = await folders(there, run);
    assert.ok(before.includes("outputs/d/empty/deep/") && before.includes("outputs/none/"), String(before));
    assert.deepEqual(await folders(here, brought), before);
  });

  it("names its original server and author, belongs to its importer, and cannot be retried", async () => {
    assert.notEqual(arrived.run_id, made.run_id);
    assert.equal(arrived.owner, "bob");
    const { imported } = arrived;
    assert.deepEqual(
      [imported?.made_as, imported?.made_by, imported?.made_at, imported?.imported_by],
      [made.run_id, "ann", made.created_at, "bob"],
    );
    const engine = { version: "7.8.9", platform: `${process.platform}-${process.arch}` };
    assert.deepEqual([made.engine, arrived.engine], [engine, engine]);
    const retry = retryRun(here.engine, arrived.run_id, {}, bob);
    await assert.rejects(retry, { code: "conflict", message: /was imported.*Reproduce it/ });
  });

  it("serves its outputs, logs and inputs, and only from its own folder", async () => {
    const run = await there.run({ tool: "shout", version: "1.2.0", inputs: { text: file("one.bam"), word: "w" } });
    const brought = await importRun(run);
    const { files } = here.engine;
    const output = await files.runFile(caller, brought.run_id, "outputs/one.loud.txt");
    assert.equal(await readFile(output.path, "utf8"), "ONE\n");
    const log = await files.jobLog(caller, { runId: brought.run_id, jobId: "main", stream: "stderr" });
    assert.equal(await readFile(log.path, "utf8"), "said w\n");
    const text = brought.inputs?.["text"] as { readonly location: string }; // as the tool declares it
    assert.match(text.location, new RegExp(`/runs/${brought.run_id}/files/inputs/one\\.bam$`));
    const folders = await readdir(join(here.root, "state/runs", brought.run_id));
    assert.deepEqual(folders.sort(), ["inputs", "jobs", "outputs"]);
  });

  it("is found by the content of a file, together with runs of this server", async () => {
    const body = { network: "shout-all", inputs: { texts: [file("one.txt")] } };
    const run = await there.run(body);
    const brought = await importRun(run);
    const own = await here.run(body);
    const outputs = { direction: "output", scope: "run" } as const;
    const [made] = (await runsOf(there.engine).findFiles(caller, { ...outputs, run: run.run_id })).files;
    const { files } = await runsOf(here.engine).findFiles(caller, { ...outputs, checksum: made?.checksum ?? "" });
    const found = column(files, "run_id");
    assert.ok(found.includes(brought.run_id) && found.includes(own.run_id));
  });

  it("gives no results to other runs, and later jobs are not compared with it", async () => {
    const inputs = { text: file("other/one.bam"), word: "only here" };
    await importRun(await there.run({ tool: "shout", version: "1.2.0", inputs }));
    const own = await here.run({ tool: "shout", version: "1.2.0", inputs });
    assert.equal(own.progress.jobs_cached, 0);
  });

  it("is reproduced from its own files, and the verdict mentions it", async () => {
    const { run_id: runId } = await here.engine.runs.reproduce(bob, arrived.run_id, {});
    const verdict = await verdictOf(here.engine, runId);
    assert.equal(here.engine.runs.get(bob, runId).reproduction?.of, arrived.run_id);
    assert.equal(verdict.result, "identical", verdict.sentence);
    assert.ok(verdict.outputs_compared > 0);
  });

  it("contains files that its document names, so that it can be reproduced without the tool in the catalog", async () => {
    const { engine } = withoutCatalog;
    for (const body of [
      { tool: "scripted", inputs: { word: "so" } },
      { network: "say", inputs: { word: "so" } },
    ]) {
      const { folder } = await there.crateOf(await there.run(body));
      const brought = await withoutCatalog.importFolder(folder);
      const { run_id: runId } = await engine.runs.reproduce(caller, brought.run_id, {});
      const verdict = await verdictOf(engine, runId);
      assert.equal(verdict.result, "identical", verdict.sentence);
    }
  });

  it("is exported again with its original chain of events, and a third server imports it", async () => {
    const second = await here.crateOf(arrived);
    assert.deepEqual([second.violations, second.wishes], [[], []]);
    for (const name of ["weft/events.jsonl", "weft/documents.jsonl"])
      assert.equal(await readFile(join(second.folder, name), "utf8"), await readFile(join(crate.folder, name), "utf8"));
    const next = await withoutCatalog.importFolder(second.folder);
    assert.equal(next.imported?.made_as, made.run_id);
    assert.deepEqual(await withoutCatalog.filesOf(next.run_id), await there.filesOf(made.run_id));
  });

  it("is also accepted as the zip that a server sends", async () => {
    const run = await there.run(nested);
    const { open } = await provenanceOf(there.engine).crateArchive(caller, run.run_id);
    const brought = await here.engine.provenance.importCrate(bob, { kind: "zip", content: open() });
    assert.deepEqual(await here.filesOf(brought.run_id), await there.filesOf(run.run_id));
  });

  it("is part of the chain of this server: verify finds a changed file", async () => {
    const state = { stateFolder: join(here.root, "state"), dataFolders: {}, expected: undefined, withFiles: true };
    assert.deepEqual((await verifyState(state)).findings, []);
    const path = join(here.root, "state/runs", arrived.run_id, "outputs/joined.bam");
    const text = await readFile(path, "utf8");
    await appendFile(path, "!");
    const [finding] = (await verifyState(state)).findings;
    assert.match(finding?.subject ?? "", /joined\.bam/);
    await writeFile(path, text);
  });
});
