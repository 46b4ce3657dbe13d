import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, it } from "node:test";
import { runItem } from "../files/used-items.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { column } from "../testing/columns.ts";
import type { Retention } from "./retention.ts";
import { RUN_IDS, StateOfRuns, UPLOAD_ID } from "./testing/state-of-runs.ts";

const [FIRST = "", SECOND = "", THIRD = ""] = RUN_IDS;
const DAY_MS = 24 * 60 * 60 * 1000;
const MONTH_MS = 31 * DAY_MS;

let state: StateOfRuns;
const ofNewState = () => beforeEach(() => void (state = StateOfRuns.create()));

const has = (runId: string, path: string) => existsSync(join(state.runsFolder, runId, path));
const OTHER = "jobs/make@1/out/other.txt";
const PRUNING: NewEvent = { type: "run.pruning", run_id: FIRST, actor: "ann", data: { part: "intermediate" } };
const UPLOAD_PRUNED: NewEvent = {
  ...{ type: "upload.pruned", run_id: null, actor: "ann", data: { upload_id: UPLOAD_ID, bytes: 1 } },
};

/** A dry run comes after the work that has begun. */
const idle = (retention: Retention) => retention.prune({}, { actor: "x", isDryRun: true, nowMs: 0 });

/** The next server has done what was left to it. */
async function begunAnew(): Promise<void> {
  const next = state.retention();
  next.begin();
  await idle(next);
}

describe("the end of a run", () => {
  ofNewState();
  const cases: readonly [
    option: "always" | "on_failure" | "never" | undefined,
    outcome: "success" | "failure",
    isKept: boolean,
  ][] = [
    [undefined, "success", true],
    ["always", "success", true],
    ["on_failure", "success", false],
    ["on_failure", "failure", true],
    ["never", "failure", false],
  ];
  for (const [option, outcome, isKept] of cases) {
    it(`${isKept ? "keeps" : "frees"} intermediate files after ${outcome} with the option ${option ?? "omitted"}`, async () => {
      const retention = state.retention();
      retention.begin();
      await state.endedRun(FIRST, option === undefined ? {} : { keep_intermediate: option }, outcome);
      await idle(retention);
      assert.deepEqual([has(FIRST, OTHER), has(FIRST, "outputs/report.txt")], [isKept, true]);
      assert.ok(has(FIRST, "jobs/make@1/stdout") && has(FIRST, "jobs/make@1/out/sub/named-errors.txt"));
      const { read } = state.journal;
      const measured = read.storage(FIRST);
      assert.ok(measured !== undefined && measured.outputs_bytes >= 20_000 && measured.logs_bytes > 0);
      assert.equal(measured.intermediate_bytes >= 10_000, isKept);
      assert.equal(read.pruned(runItem(FIRST, "intermediate"))?.actor, isKept ? undefined : "engine");
    });
  }

  it("measures no open run", async () => {
    const retention = state.retention();
    retention.begin();
    await state.begin(FIRST);
    await state.startJob(FIRST);
    await idle(retention);
    assert.equal(state.journal.read.storage(FIRST), undefined);
  });
});

describe("a prune", () => {
  ofNewState();
  it("only lists files in a dry run", async () => {
    await state.endedRun(FIRST);
    state.later(MONTH_MS);
    const report = await state.prune({}, true);
    const [entry] = report.entries;
    assert.ok(entry);
    const { id, name, part, outcome, bytes } = entry;
    assert.deepEqual([id, name, part, outcome], [FIRST, "night run", "intermediate", "planned"]);
    assert.ok(bytes >= 10_000);
    assert.equal(report.bytes_total, bytes);
    assert.ok(has(FIRST, OTHER));
    assert.ok(!column(state.journal.read.events({ since: 0, limit: 100 }), "type").includes("run.pruning"));
  });

  it("removes intermediate files of runs that ended long enough ago, and reports the freed space", async () => {
    await state.endedRun(FIRST);
    state.later(MONTH_MS);
    await state.endedRun(SECOND);
    const planned = await state.prune({}, true);
    const report = await state.prune({});
    assert.deepEqual([report.entries_total, report.bytes_total], [1, planned.bytes_total]);
    assert.deepEqual([has(FIRST, OTHER), has(SECOND, OTHER)], [false, true]);
    assert.ok(has(FIRST, "outputs/report.txt") && has(FIRST, "jobs/make@1/stdout"));
    const [pruned] = state.journal.read.prunedOf(FIRST);
    assert.deepEqual(
      [pruned?.item, pruned?.actor, pruned?.bytes],
      [runItem(FIRST, "intermediate"), "ann", report.bytes_total],
    );
    assert.equal((await state.prune({})).entries_total, 0, "there is nothing left to remove");
  });

  it("removes outputs and logs only of a run that is named", async () => {
    await state.endedRun(FIRST);
    await assert.rejects(state.prune({ parts: ["outputs"] }), { code: "invalid-body" });
    await assert.rejects(state.prune({ run_id: FIRST, downloads: true }), { code: "invalid-body" });
    const report = await state.prune({ run_id: FIRST, parts: ["outputs", "logs", "intermediate"] });
    assert.deepEqual(
      report.entries.map(({ part, outcome }) => `${part} ${outcome}`),
      ["intermediate pruned", "logs pruned", "outputs pruned"],
    );
    assert.deepEqual([has(FIRST, "outputs"), has(FIRST, "jobs")], [false, false]);
    const measured = state.journal.read.storage(FIRST);
    assert.deepEqual([measured?.outputs_bytes, measured?.intermediate_bytes, measured?.logs_bytes], [0, 0, 0]);
  });

  it("refuses an open or missing run", async () => {
    await state.begin(FIRST);
    await assert.rejects(state.prune({ run_id: FIRST }), { code: "conflict" });
    await assert.rejects(state.prune({ run_id: SECOND }), { code: "run-not-found" });
  });

  it("does not touch open runs, regardless of age", async () => {
    await state.begin(FIRST);
    state.write(`runs/${FIRST}/${OTHER}`, "x");
    state.later(MONTH_MS);
    assert.equal((await state.prune({ older_than_ms: 0 })).entries_total, 0);
    assert.ok(has(FIRST, OTHER));
    // Even the log itself would refuse it.
    const [refused] = await state.append(PRUNING);
    assert.equal(refused, null);
  });

  it("keeps files that an open run reads, and removes them after its end", async () => {
    await state.endedRun(FIRST);
    await state.begin(SECOND, { uses: [runItem(FIRST, "intermediate")] });
    for (const isDryRun of [true, false]) {
      const { entries, kept_total: kept } = await state.prune({ run_id: FIRST }, isDryRun);
      assert.deepEqual([kept, entries[0]?.outcome, entries[0]?.bytes], [1, "kept", 0]);
      assert.match(entries[0]?.reason ?? "", new RegExp(`the open run ${SECOND}`));
    }
    assert.ok(has(FIRST, OTHER));
    assert.equal((await state.prune({ run_id: FIRST, parts: ["logs"] })).kept_total, 0, "it reads no logs");
    await state.end(SECOND);
    assert.equal((await state.prune({ run_id: FIRST })).entries[0]?.outcome, "pruned");
  });

  it("keeps the results of another run that a job of an open run reuses", async () => {
    await state.endedRun(FIRST);
    await state.begin(SECOND);
    await state.startJob(SECOND);
    const uri = `weft-data://runs/${FIRST}/${OTHER}`;
    const files = [{ port: "out", name: "other.txt", uri, checksum: null, size: null }];
    const data = { state: "COMPLETE", reason: null, exit_code: 0, signal: null, outputs: null, files } as const;
    const job = { run_id: SECOND, job_id: "make", actor: "engine" };
    await state.append({ type: "job.ended", ...job, data: { ...data, cpu_ms: null, max_rss_bytes: null } });
    assert.equal((await state.prune({ run_id: FIRST })).kept_total, 1);
  });

  it("competes with a run that begins at the same moment: the first in the log wins", async () => {
    await state.endedRun(FIRST);
    const uses = [runItem(FIRST, "intermediate")];
    const prunes = state.append(PRUNING);
    assert.equal(await state.begin(SECOND, { uses }), null);
    assert.notEqual((await prunes)[0], null);
    await state.endedRun(THIRD);
    const begins = state.begin(SECOND, { uses: [runItem(THIRD, "intermediate")] });
    const kept = await state.prune({ run_id: THIRD });
    assert.notEqual(await begins, null);
    assert.deepEqual([kept.kept_total, has(THIRD, OTHER)], [1, true]);
  });

  it("is offered again if it could not remove everything", async () => {
    await state.endedRun(FIRST);
    const failures = [{ path: OTHER, message: "EACCES" }];
    const left = { outputs_bytes: 0, intermediate_bytes: 10_000, logs_bytes: 0 };
    const data = { part: "intermediate", bytes: 100, failures, left } as const;
    await state.append(PRUNING, { type: "run.pruned", run_id: FIRST, actor: "engine", data });
    const report = await state.prune({ older_than_ms: 0 });
    assert.deepEqual([report.entries[0]?.outcome, has(FIRST, OTHER)], ["pruned", false]);
    const [pruned] = state.journal.read.prunedOf(FIRST);
    assert.equal(pruned?.bytes, 100 + report.bytes_total);
  });
});

describe("a removal that was interrupted", () => {
  ofNewState();
  it("is finished by the next server, and names the user who requested it", async () => {
    await state.endedRun(FIRST);
    await state.append(PRUNING);
    await begunAnew();
    assert.equal(has(FIRST, OTHER), false);
    const [pruned] = state.journal.read.prunedOf(FIRST);
    assert.equal(pruned?.actor, "ann");
    assert.ok(pruned.endedMs !== null && (pruned.bytes ?? 0) >= 10_000);
    assert.deepEqual(state.journal.read.openRemovals(), []);
  });

  it("is finished for uploads, too", async () => {
    state.write(`uploads/${UPLOAD_ID}/a.txt`, "a");
    await state.append(UPLOAD_PRUNED);
    await begunAnew();
    assert.equal(existsSync(join(state.uploadsFolder, UPLOAD_ID)), false);
  });

  it("the next server measures and frees runs that ended meanwhile", async () => {
    await state.endedRun(FIRST);
    await state.endedRun(SECOND, { keep_intermediate: "never" });
    await begunAnew();
    assert.deepEqual(state.journal.read.unmeasuredRuns(), []);
    assert.deepEqual([has(FIRST, OTHER), has(SECOND, OTHER)], [true, false]);
  });

  it("is left to the next server by one that is closed", async () => {
    await state.endedRun(FIRST, { keep_intermediate: "never" });
    const retention = state.retention();
    retention.begin();
    await retention.close();
    assert.deepEqual(state.journal.read.unmeasuredRuns(), [FIRST]);
  });
});

describe("uploads", () => {
  ofNewState();
  const uploaded = async (ageMs: number) => {
    state.write(`uploads/${UPLOAD_ID}/a.txt`, "a".repeat(5000));
    const came = new Date(Date.now() - ageMs);
    await utimes(join(state.uploadsFolder, UPLOAD_ID), came, came);
  };
  const isThere = () => existsSync(join(state.uploadsFolder, UPLOAD_ID));
  const read = (runId: string) => {
    const uri = `weft-data://uploads/${UPLOAD_ID}/a.txt`;
    const files = [{ port: "in", name: "a.txt", uri, checksum: null, size: null }];
    return state.append({ type: "run.inputs", run_id: runId, actor: "engine", data: { files } });
  };

  it("are removed when they are old enough and no run refers to them", async () => {
    await uploaded(2 * DAY_MS);
    await mkdir(join(state.uploadsFolder, ".arriving"));
    assert.equal((await state.prune({ uploads: true })).entries_total, 0, "a month is usual");
    const report = await state.prune({ uploads: true, older_than_ms: DAY_MS });
    assert.deepEqual([report.entries[0]?.kind, report.entries[0]?.name, report.entries_total], ["upload", "a.txt", 1]);
    assert.equal(isThere(), false);
    assert.ok(existsSync(join(state.uploadsFolder, ".arriving")), "one that is still arriving stays");
  });

  it("stay as long as a run that used them has its outputs", async () => {
    await uploaded(MONTH_MS);
    await state.begin(FIRST);
    await read(FIRST);
    await state.end(FIRST);
    assert.equal((await state.prune({ uploads: true })).entries_total, 0);
    await state.prune({ run_id: FIRST, parts: ["outputs"] });
    assert.equal((await state.prune({ uploads: true }, true)).entries_total, 1);
    assert.ok(isThere());
    await state.prune({ uploads: true });
    assert.equal(isThere(), false);
  });

  it("stay if a new run refers to them, and no run can refer to one that is being removed", async () => {
    await uploaded(MONTH_MS);
    const uses = [`uploads/${UPLOAD_ID}`];
    const begins = state.begin(FIRST, { uses });
    const [refused] = await state.append(UPLOAD_PRUNED);
    assert.notEqual(await begins, null);
    assert.deepEqual([refused, (await state.prune({ uploads: true })).entries_total, isThere()], [null, 0, true]);
    await state.end(FIRST);
    await state.prune({ uploads: true });
    assert.deepEqual([isThere(), await state.begin(SECOND, { uses })], [false, null]);
  });
});
