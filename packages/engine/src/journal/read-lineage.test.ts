import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import type { LogReader } from "./log-reader.ts";
import { INDEX_NAMES, NAMES_AT_ONCE } from "./name-tables.ts";
import { explaining } from "./testing/explaining-reader.ts";

const CONTENT = { runId: "r", checksum: "sha1$0", sha256: "0", timeMs: 1, visibleOwner: "ann" };

const QUESTIONS: [string, (read: LogReader) => unknown][] = [
  ["files of a run", (read) => read.files({ runId: "r", scope: "run", direction: "output", pageSize: 10 })],
  ["files by SHA-1", (read) => read.files({ checksum: "sha1$0", pageSize: 10 })],
  ["files by SHA-256", (read) => read.files({ sha256: "0", pageSize: 10 })],
  ["files by a part of their name", (read) => read.files({ text: "part", pageSize: 10 })],
  ["files by what their name begins with", (read) => read.files({ text: "p", visibleOwner: "ann", pageSize: 10 })],
  ["files of a content that one may see", (read) => read.files({ sha256: "0", visibleOwner: "ann", pageSize: 10 })],
  ["files by tool and version", (read) => read.files({ tool: "smooth", toolVersion: "1.0.0", pageSize: 10 })],
  ["the job that wrote a file", (read) => read.writerOf("r", "weft-data://runs/r/x")],
  ["the runs before one", (read) => read.writersFor("r", 10)],
  ["the runs after one", (read) => read.readersOf("r", 10)],
  ["what passes between the steps of a run", (read) => read.flows("r")],
  ["what passes between the steps for a sample", (read) => read.flows("r", "sub-01")],
  ["the files of a run by port", (read) => read.filesOfPorts("r", "sub-01")],
  ["the jobs of a run by step", (read) => read.jobsOfSteps("r", "sub-01")],
  ["the job that made a file", (read) => read.makerOf("r", "job")],
  ["the files that a job read", (read) => read.filesReadBy("r", "job", 10)],
  ["whether a file is an input of a run", (read) => read.isRunInput("r", "weft-data://data/x")],
  ["the output that had a content before", (read) => read.madeBefore(CONTENT)],
  ["how many runs were given a content since", (read) => read.countReaders(CONTENT, 10)],
  ["files of a step and port of a run", (read) => read.files({ runId: "r", step: "s", port: "p", pageSize: 10 })],
  ["the tools of a run", (read) => read.toolsOfSteps("r")],
  ["runs that are still to be compared", (read) => read.runsToCompare()],
];

/** Steps of a query plan that scan a table that grows with the number of runs. */
const scansOf = (plans: readonly string[]) =>
  plans.filter((plan) =>
    /^SCAN (files|file_names|jobs|runs|events|used|made|given|reader)\b(?!.*runs_to_compare)/.test(plan),
  );

/** Without names, the query would select nothing. */
function addNames(db: DatabaseSync, count: number): void {
  for (let at = 1; at <= count; at += 1)
    db.prepare("INSERT INTO file_names (run_id, name) VALUES ('r', ?)").run(`a part ${at}`);
  db.prepare(INDEX_NAMES).run(0, NAMES_AT_ONCE);
}

describe("a question about one content, tool or run", () => {
  it("differs from one that no index answers", () => {
    const { read, plans } = explaining();
    read.files({ direction: "input", pageSize: 10 });
    assert.notDeepEqual(scansOf(plans), []);
  });

  it("reads only the jobs of the run for files of a tool within a run", () => {
    const { read, plans } = explaining();
    read.files({ runId: "r", tool: "smooth", toolVersion: "1.0.0", pageSize: 10 });
    assert.deepEqual(
      plans.filter((plan) => plan.includes("jobs_by_tool")),
      [],
      plans.join("\n"),
    );
  });

  for (const [what, ask] of QUESTIONS)
    it(`is answered by an index, regardless of other rows: ${what}`, () => {
      const { db, read, plans } = explaining();
      addNames(db, NAMES_AT_ONCE + 1);
      ask(read);
      assert.ok(plans.length > 0);
      assert.deepEqual(scansOf(plans), [], plans.join("\n"));
    });
});
