import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { retryRun } from "../../src/testing/drive-runs.ts";
import { caller, CrateRuns, file } from "./crate-runs.ts";
import { FOREIGN, sha1, writeForeign, type ForeignFixture } from "./foreign-crates.ts";
import { provenanceOf, runsOf } from "../../src/testing/ask-runs.ts";
import { column, columns } from "../../src/testing/columns.ts";

const here = await CrateRuns.open();
const { engine } = here;
let count = 0;
const bring = async (fixture: Pick<ForeignFixture, "graph" | "files">): Promise<Run> =>
  here.importFolder(writeForeign(fixture, join(here.root, `foreign-${++count}`)));
const [runcrate, streamflow, galaxy, nextflow] = FOREIGN;
const brought = new Map<string, Run>();
for (const fixture of FOREIGN) brought.set(fixture.what, await bring(fixture));
const runOf = (fixture: ForeignFixture): Run => brought.get(fixture.what) ?? assert.fail(fixture.what);
const jobsOf = (run: Run) => engine.runs.jobs(caller, run.run_id, { page_size: 100 }).jobs;
const timedJobs = async (run: Run): Promise<readonly string[]> => {
  return (await runsOf(engine).jobTimes(caller, run.run_id)).jobs.job_id;
};

describe("a run from a crate of another engine", () => {
  for (const fixture of FOREIGN)
    it(`is visible with its jobs, and says what made it: ${fixture.what}`, () => {
      const run = runOf(fixture);
      assert.equal(engine.runs.get(caller, run.run_id).name, run.name);
      assert.equal(jobsOf(run).length, fixture.jobs);
      const { foreign } = run.imported ?? {};
      assert.deepEqual([foreign?.engine, foreign?.is_cwl], [fixture.engine, fixture.isCwl]);
      assert.ok(foreign?.profiles.some((profile) => profile.startsWith("https://w3id.org/ro/wfrun/workflow/")));
    });

  it("has the times, the person, the steps and the values that its crate states", async () => {
    const run = runOf(runcrate);
    assert.deepEqual(
      [run.state, run.imported?.made_by, run.name],
      ["COMPLETE", "Ada Example", "Run of workflow/packed.cwl#main"],
    );
    assert.equal(run.duration_ms, 60_000);
    assert.equal(run.inputs?.["reverse"], true);
    assert.deepEqual(columns(jobsOf(run), "job_id", "step", "state"), [["sorted", "sorted", "COMPLETE"]]);
    const { path } = await engine.files.runFile(caller, run.run_id, `outputs/${sha1("a\nb\n")}`);
    assert.equal(await readFile(path, "utf8"), "a\nb\n");
  });

  it("keeps secondary files and folders, and lists what a Collection lists", async () => {
    const reads = runOf(streamflow).inputs?.["reads"] as { basename: string; secondaryFiles: { basename: string }[] };
    assert.deepEqual([reads.basename, reads.secondaryFiles.map(({ basename }) => basename)], ["a.bam", ["a.bam.bai"]]);
    assert.deepEqual(column(jobsOf(runOf(streamflow)), "job_id"), ["count-0", "count-1"]);
    assert.deepEqual(await timedJobs(runOf(streamflow)), ["count-0", "count-1"]);
    const found = new Set(
      (await here.filesOf(runOf(streamflow).run_id)).map((text) => (JSON.parse(text) as string[])[4]),
    );
    for (const name of ["out", "one.txt", "two.txt"]) assert.ok(found.has(name), name);
    assert.equal([runOf(galaxy).outputs?.["Output"]].flat().length, 2);
    assert.ok("Input_Dataset" in (runOf(galaxy).inputs ?? {}));
  });

  it("states missing facts, and assumes none", () => {
    const missing = (fixture: ForeignFixture) => (runOf(fixture).imported?.foreign?.missing ?? []).join("\n");
    assert.match(missing(runcrate), /whether the run succeeded/);
    assert.match(missing(galaxy), /describes no steps/);
    assert.match(missing(galaxy), /who ran it/);
    assert.match(missing(streamflow), /when the run started/);
    assert.match(missing(nextflow), /start or end of 1 of 2 jobs/);
    assert.match(missing(nextflow), /to which step 2 of 2 jobs belong/);
    assert.match(missing(nextflow), /does not contain 1 files/);
    assert.match(missing(nextflow), /which input or output/);
    assert.deepEqual(
      [runOf(nextflow).state, runOf(nextflow).state_reason?.message],
      ["EXECUTOR_ERROR", "one task failed"],
    );
  });

  it("is found by the content of its files, including those that the crate does not contain", async () => {
    const find = async (checksum: string) =>
      column((await runsOf(engine).findFiles(caller, { checksum })).files, "run_id");
    assert.ok((await find(`sha1$${sha1("a\nb\n")}`)).includes(runOf(runcrate).run_id));
    assert.ok((await find("a".repeat(64))).includes(runOf(nextflow).run_id));
  });

  it("is in the lineage of a run that used its output", async () => {
    const used = await here.run({ network: "shout-all", inputs: { texts: [file("one.txt")] } });
    const made = await bring(withResult(runcrate, "one\n"));
    const related = await provenanceOf(engine).lineage(caller, used.run_id, {});
    assert.ok(JSON.stringify(related).includes(made.run_id), JSON.stringify(related));
  });

  it("can be compared only with another CWL run", async () => {
    const compare = (other: Run) =>
      engine.provenance.compare(caller, [runOf(runcrate).run_id, other.run_id], { relative: 0, absolute: 0 });
    const { result, outputs } = await compare(await bring(withResult(runcrate, "other\n")));
    assert.deepEqual([result, column(outputs, "name")], ["different", ["output"]]);
    await assert.rejects(compare(runOf(galaxy)), { code: "conflict", message: /Only CWL runs can be compared/ });
  });

  it("can be neither reproduced nor retried", async () => {
    const { run_id: runId } = runOf(runcrate);
    const refusal = { code: "conflict", message: /another engine made it/ };
    await assert.rejects(engine.runs.reproduce(caller, runId, {}), refusal);
    await assert.rejects(retryRun(engine, runId), refusal);
  });

  it("is imported once, and exported as a crate of its own", async () => {
    await assert.rejects(bring(runcrate), { code: "conflict", message: /has already been imported/ });
    for (const fixture of FOREIGN) {
      const { violations } = await here.crateOf(runOf(fixture));
      assert.deepEqual(violations, [], fixture.what);
    }
  });
});

/** The run at an earlier time, with another result. */
function withResult(fixture: ForeignFixture, text: string): Pick<ForeignFixture, "graph" | "files"> {
  const [before, after] = [sha1("a\nb\n"), sha1(text)];
  const graph = JSON.parse(
    JSON.stringify(fixture.graph).replaceAll(before, after).replaceAll("2026-02-03T10", "2026-02-02T10"),
  );
  return { graph, files: { ...fixture.files, [after]: text } };
}

describe("a hostile crate of another engine", () => {
  const change = (edit: (graph: Record<string, unknown>[]) => unknown, files: Record<string, string> = {}) => {
    const graph = structuredClone(runcrate.graph) as Record<string, unknown>[];
    edit(graph);
    return { graph, files: { ...runcrate.files, ...files } };
  };
  const at = (graph: Record<string, unknown>[], id: string) =>
    graph.find((one) => one["@id"] === id) ?? assert.fail(id);
  const refused: Readonly<Record<string, readonly [ReturnType<typeof change>, RegExp]>> = {
    "no run": [change((graph) => graph.splice(graph.indexOf(at(graph, "#run")), 1)), /describes no run/],
    "no root": [change((graph) => graph.splice(0, 2)), /no root entity/],
    "a file with another content": [
      change(() => {}, { [sha1("a\nb\n")]: "changed" }),
      /has been changed since it was made/,
    ],
    "nothing that is an entity": [{ graph: [null, 5, [], "x"] as never, files: {} }, /no root entity/],
    "too many jobs": [
      change((graph) => {
        for (let n = 0; n < 20_001; n += 1) graph.push({ "@id": `#${n}`, "@type": "CreateAction" });
      }),
      /more than 20000 jobs/,
    ],
  };
  for (const [what, [fixture, message]] of Object.entries(refused))
    it(`is refused with ${what}`, () => assert.rejects(bring(fixture), { code: "invalid-crate", message }));

  const harmless: Readonly<Record<string, (graph: Record<string, unknown>[]) => unknown>> = {
    "files that lead out": (graph) => {
      const passwd = ["../../../../etc/passwd", "/etc/passwd", "..%2f..%2fetc%2fpasswd", "file:///etc/passwd"];
      const ids = [...passwd, "%zz", "a\0b"];
      for (const id of ids) graph.push({ "@id": id, "@type": "File" });
      graph.push({ "@id": "./", "@type": "X" });
      at(graph, "#run")["object"] = ids.map((id) => ({ "@id": id }));
    },
    "folders in each other": (graph) => {
      graph.push(
        { "@id": "#a", "@type": "Dataset", hasPart: { "@id": "#b" } },
        { "@id": "#b", "@type": "Dataset", hasPart: { "@id": "#a" } },
      );
      at(graph, "#run")["object"] = { "@id": "#a" };
    },
    "names that no file may have": (graph) => {
      at(graph, sha1("a\nb\n"))["alternateName"] = "../../..";
      at(graph, "packed.cwl#main/output")["name"] = "__proto__";
    },
    "wrong types everywhere": (graph) => {
      const times = { startTime: {}, endTime: ["x"] };
      Object.assign(at(graph, "#run"), { name: 5, ...times, agent: "x", actionStatus: 7, description: null });
      Object.assign(at(graph, "#job"), { object: "x", result: [null, 5], startTime: "9999-99-99" });
      Object.assign(at(graph, "packed.cwl"), { input: 5, output: "x", version: {}, name: [] });
    },
    "an end before the start": (graph) =>
      Object.assign(at(graph, "#run"), { startTime: "2026-05-01", endTime: "2025-05-01" }),
  };
  for (const [what, edit] of Object.entries(harmless))
    it(`does no harm with ${what}`, async () => {
      const outcome = await bring(change(edit)).catch((error: unknown) => error);
      if (outcome instanceof Error)
        return assert.ok(outcome instanceof Refusal && outcome.code === "invalid-crate", String(outcome));
      const run = outcome as Run; // it was imported
      const passwd = hash("sha256", await readFile("/etc/passwd"));
      assert.ok(!(await here.filesOf(run.run_id)).some((text) => text.includes(passwd)));
      assert.ok(Date.parse(run.end_time ?? "") >= Date.parse(run.start_time ?? ""));
    });

  it("is refused with folders that multiply", async () => {
    const levels = Array.from({ length: 20 }, (_, n) => ({
      "@id": `#l${n}`,
      "@type": "Collection",
      hasPart: [{ "@id": `#l${n + 1}` }, { "@id": `#m${n + 1}` }],
    }));
    const twins = levels.map((level, n) => ({ ...level, "@id": `#m${n}` }));
    const fixture = change((graph) => {
      graph.push(...levels, ...twins);
      at(graph, "#run")["object"] = { "@id": "#l0" };
    });
    await assert.rejects(bring(fixture), { code: "invalid-crate", message: /more than 500000 values/ });
  });
});
