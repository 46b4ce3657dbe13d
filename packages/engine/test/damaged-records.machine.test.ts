import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { Engine } from "../src/port/engine.ts";
import { caller, endedRun, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { openTestEngine, toolFiles } from "../src/testing/open-test-engine.ts";
import { TEST_CATALOG } from "./test-catalog.ts";

/** A tool that runs as a real process, because the test damages records of processes. */
const ACT = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [sh, -c, '[ "$1" = hang ] && exec sleep 300; exit "$1"', act]
inputs: { how: { type: string, inputBinding: { position: 1 } } }
outputs: []
`;
const root = temporaryFolder({ ...TEST_CATALOG, ...toolFiles({ act: ACT }) });

const open = () => openTestEngine(root, { jobs: 2, retryDelaysMs: [0] });
const start = (engine: Engine, how: string) => startRun(engine, { tool: "act", inputs: { how } });

interface Damage {
  readonly name: string;
  readonly spoil: (place: { readonly database: DatabaseSync; readonly runId: string; readonly jobs: string }) => void;
  readonly message: RegExp;
  /** The state of the job that is to be there; absent: it waits. */
  readonly needs?: "RUNNING";
}

const spoilt = (sql: string) => (place: Parameters<Damage["spoil"]>[0]) =>
  void place.database.prepare(sql).run(place.runId);

const DAMAGES: readonly Damage[] = [
  {
    name: "the folder of a job",
    needs: "RUNNING",
    spoil({ jobs }) {
      const [name = ""] = readdirSync(jobs);
      rmSync(join(jobs, name), { recursive: true });
      writeFileSync(join(jobs, name), "");
    },
    message: /cannot continue \(internal-corrupt\).*not a directory/,
  },
  {
    name: "what a job says of itself",
    needs: "RUNNING",
    spoil({ jobs }) {
      const record = join(jobs, readdirSync(jobs)[0] ?? "", "record");
      rmSync(record);
      mkdirSync(record);
    },
    message: /cannot continue \(internal-corrupt\).*illegal operation on a directory/,
  },
  {
    name: "the options of a run",
    spoil: spoilt("UPDATE runs SET options = '{' WHERE run_id = ?"),
    message: /record of this run is damaged \(internal-corrupt\): options cannot be read/,
  },
  {
    name: "the counters and the abort of a run",
    spoil: spoilt("UPDATE runs SET job_counts = 'x', abort = '{', tags = '' WHERE run_id = ?"),
    message: /internal-corrupt\): tags, job_counts, abort cannot/,
  },
  {
    name: "the record of a job",
    spoil: spoilt("UPDATE jobs SET command = '{', attempts = 'x' WHERE run_id = ?"),
    message: /internal-corrupt\): command, attempts cannot/,
  },
  {
    name: "the inputs of a run",
    spoil: spoilt("UPDATE runs SET inputs = 'sha256:0' WHERE run_id = ?"),
    message: /the log has no blob sha256:0/,
  },
  {
    name: "the document of a run",
    spoil: spoilt("UPDATE runs SET process_digest = 'sha256:0', document = 'sha256:0' WHERE run_id = ?"),
    message: /the log has no blob sha256:0/,
  },
];

describe("a server that finds a run damaged ends that run and no other:", async () => {
  const first = await open();
  const damaged: string[] = [];
  // Two run; the others wait for a slot.
  for (const { needs } of DAMAGES) {
    const runId = await start(first, "hang");
    await untilRun(first, runId, ({ job_counts: counts }) => counts[needs ?? "QUEUED"] === 1);
    damaged.push(runId);
  }
  const other = await start(first, "0");
  await first.stop("detach");
  const database = new DatabaseSync(join(root, "state", "weft.db"));
  DAMAGES.forEach(({ spoil }, index) => {
    const runId = damaged[index] ?? "";
    spoil({ database, runId, jobs: join(root, "state", "runs", runId, "jobs") });
  });
  database.close();
  const second = await open();
  after(() => second.stop("cancel"));

  DAMAGES.forEach(({ name, message }, index) =>
    it(name, async () => {
      const found = await endedRun(second, damaged[index] ?? "");
      assert.deepEqual([found.state, found.state_reason?.code], ["SYSTEM_ERROR", "ENGINE"]);
      assert.match(found.state_reason?.message ?? "", message);
    }),
  );

  it("the other runs continue and are listed with it, and new ones run", async () => {
    assert.equal(second.runs.list(caller, {}).runs.length, DAMAGES.length + 1);
    assert.equal((await endedRun(second, other)).state, "COMPLETE");
    const next = await start(second, "0");
    assert.equal((await endedRun(second, next)).state, "COMPLETE");
  });
});
