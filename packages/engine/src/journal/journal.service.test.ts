import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { EventData, WeftEvent } from "@weft/shared/events/event.ts";
import type { Journal } from "./journal.ts";
import type { NewEvent } from "./journal-event.ts";
import { KEY_LIFE_MS } from "./append-events.ts";
import { openMemoryJournal } from "./memory-journal.ts";
import { LOG_FEATURES } from "../app/features.ts";
import { openLog } from "../app/open-log.ts";
import { jobQueued, runCreated, runEnded } from "./testing/new-events.ts";
import { column, columns } from "../testing/columns.ts";

const blobs = [
  { digest: "sha256:d", text: "{}" },
  { digest: "sha256:i", text: '{"n":1}' },
];
const steps = ["smooth", "report"].map((step) => ({ step, jobs_total: 0, jobs_total_is_final: false }));
const runEvent = (run_id: string, more: Partial<EventData<"run.created">> = {}): NewEvent => ({
  ...runCreated(run_id, {
    ...{ kind: "network", process_id: "cohort", name: "night run", tags: { study: "a:b" } },
    ...{ document: "sha256:d", inputs: "sha256:i", steps, ...more },
  }),
  blobs,
});
const job = { step: "smooth", sample_id: "sub-01", actor: "engine" } as const;
const queued = (run_id: string, n: number): NewEvent => ({ ...jobQueued(run_id, n), sample_id: "sub-01" });
const jobEnded = (run_id: string, n: number, state: EventData<"job.ended">["state"]): NewEvent => ({
  type: "job.ended",
  run_id,
  job_id: `smooth-${n}`,
  ...job,
  data: { state, reason: null, exit_code: 0, signal: null, outputs: null, files: [], cpu_ms: 5, max_rss_bytes: null },
});

const folder = temporaryFolder();
let count = 0;
const kinds: [string, () => Promise<Journal>][] = [
  ["memory", async () => openMemoryJournal(Date.now, LOG_FEATURES)],
  ["SQLite", () => openLog(join(folder, `${++count}.db`), "fast")],
];

for (const [kind, open] of kinds) {
  describe(`Journal (${kind})`, () => {
    it("numbers events without gaps and notifies subscribers in order", async () => {
      const journal = await open();
      const heard: WeftEvent[] = [];
      journal.subscribe((events) => heard.push(...events));
      await Promise.all([
        journal.append([runEvent("a"), queued("a", 1)]),
        journal.append([runEvent("b")]),
        journal.append([queued("a", 2)]),
      ]);
      assert.deepEqual(column(heard, "seq"), [1, 2, 3, 4]);
      assert.equal(journal.lastSeq, 4);
      assert.deepEqual(journal.read.events({ since: 0, limit: 10 }), heard);
      assert.deepEqual(column(journal.read.events({ since: 1, limit: 10, runId: "a" }), "seq"), [2, 4]);
      await journal.close();
    });

    it("projects runs, steps and jobs with their counters", async () => {
      const journal = await open();
      await journal.append([
        runEvent("a"),
        { type: "run.started", run_id: "a", actor: "engine", data: {} },
        queued("a", 1),
        queued("a", 2),
        jobEnded("a", 1, "COMPLETE"),
      ]);
      const run = journal.read.run("a");
      assert.equal(run?.state, "RUNNING");
      assert.equal(run?.owner, "ann");
      assert.equal(run?.revision, 5);
      assert.deepEqual(run?.jobCounts, { QUEUED: 1, COMPLETE: 1 });
      assert.deepEqual(columns(journal.read.steps("a"), "step", "jobCounts"), [
        ["smooth", { QUEUED: 1, COMPLETE: 1 }],
        ["report", {}],
      ]);
      assert.equal(journal.read.jobByCall("a", "smooth[2]")?.jobId, "smooth-2");
      assert.equal(journal.read.blob("sha256:i"), '{"n":1}');
      await journal.close();
    });

    it("lets the first final event win", async () => {
      const journal = await open();
      await journal.append([runEvent("a"), queued("a", 1), queued("a", 2), jobEnded("a", 1, "COMPLETE")]);
      const [again] = await journal.append([jobEnded("a", 1, "EXECUTOR_ERROR")]);
      assert.equal(again, null);
      const [won, lost, late] = await journal.append([
        runEnded("a"),
        runEnded("a", "failure"),
        jobEnded("a", 2, "COMPLETE"),
      ]);
      assert.ok(won);
      assert.equal(lost, null);
      assert.equal(late, null);
      assert.equal(journal.read.run("a")?.state, "COMPLETE");
      assert.equal(journal.read.job("a", "smooth-2")?.state, "CANCELED");
      assert.deepEqual(journal.read.run("a")?.jobCounts, { COMPLETE: 1, CANCELED: 1 });
      await journal.close();
    });

    it("claims an idempotency key for one run", async () => {
      const journal = await open();
      const idempotency = { key: "k", body_digest: "sha256:b" };
      const [first, second] = await journal.append([runEvent("a", { idempotency }), runEvent("b", { idempotency })]);
      assert.ok(first);
      assert.equal(second, null);
      assert.deepEqual(journal.read.runByKey("ann", "k", 0), { runId: "a", bodyDigest: "sha256:b" });
      assert.equal(journal.read.run("b"), undefined);
      await journal.close();
    });

    it("keeps its page when newer runs are added", async () => {
      const journal = await open();
      await journal.append(["r1", "r2", "r3"].map((id) => runEvent(id)));
      const first = journal.read.runs({ ascending: false, pageSize: 2 });
      await journal.append([runEvent("r4")]);
      const second = journal.read.runs({ ascending: false, pageSize: 2, pageToken: first.nextPageToken });
      assert.deepEqual(column([...first.entries, ...second.entries], "runId"), ["r3", "r2", "r1"]);
      await journal.close();
    });

    it("pages runs by key, newest first, and filters them", async () => {
      const journal = await open();
      await journal.append(["r1", "r2", "r3", "r4", "r5"].map((id) => runEvent(id, { name: `100% ${id}` })));
      await journal.append([runEnded("r2")]);
      const page1 = journal.read.runs({ ascending: false, pageSize: 2 });
      assert.deepEqual([page1.entries.map(({ runId }) => runId), page1.total], [["r5", "r4"], 5]);
      const page2 = journal.read.runs({ ascending: false, pageSize: 2, pageToken: page1.nextPageToken });
      assert.deepEqual(column(page2.entries, "runId"), ["r3", "r2"]);
      const page3 = journal.read.runs({ ascending: false, pageSize: 2, pageToken: page2.nextPageToken });
      assert.deepEqual([page3.entries.map(({ runId }) => runId), page3.nextPageToken], [["r1"], ""]);
      const found = (query: object) =>
        journal.read.runs({ ascending: true, pageSize: 9, ...query }).entries.map(({ runId }) => runId);
      assert.deepEqual(found({ states: ["COMPLETE", "CANCELED"] }), ["r2"]);
      assert.deepEqual(found({ text: "0% r3" }), ["r3"]);
      assert.deepEqual(found({ text: "_" }), []);
      assert.deepEqual(found({ tag: "study:a:b" }), ["r1", "r2", "r3", "r4", "r5"]);
      assert.deepEqual(found({ tag: "study:other" }), []);
      assert.throws(() => journal.read.runs({ ascending: true, pageSize: 9, pageToken: "bm9uc2Vuc2U" }), /page token/);
      await journal.close();
    });

    it("keeps a failed batch out of the log", async () => {
      const journal = await open();
      await assert.rejects(async () => journal.append([runEvent("a"), queued("unknown", 1)]), /unknown run/);
      assert.equal(journal.read.run("a"), undefined);
      await journal.append([runEvent("b")]);
      assert.deepEqual(column(journal.read.events({ since: 0, limit: 5 }), "seq"), [1]);
      await journal.close();
    });
  });
}

describe("Journal (SQLite) over restarts", () => {
  it("continues at the same position", async () => {
    const path = join(folder, "restart.db");
    const first = await openLog(path, "full");
    await first.append([runEvent("a"), queued("a", 1)]);
    await first.close();
    await assert.rejects(first.append([runEvent("b")]), { code: "draining" });
    assert.equal(first.read.run("a")?.state, "QUEUED");
    const second = await openLog(path, "full");
    assert.equal(second.lastSeq, 2);
    assert.deepEqual(column(second.read.openRuns(), "runId"), ["a"]);
    const [event] = await second.append([jobEnded("a", 1, "COMPLETE")]);
    assert.equal(event?.seq, 3);
    await second.close();
  });
});

describe("an idempotency key", () => {
  it("is free again after 24 h, separately for each principal", async () => {
    let nowMs = 0;
    const journal = openMemoryJournal(() => nowMs);
    const idempotency = { key: "k", body_digest: "sha256:b" };
    const claim = async (runId: string, actor = "ann") =>
      (await journal.append([{ ...runEvent(runId, { idempotency }), actor }]))[0] !== null;
    assert.deepEqual([await claim("a"), await claim("b"), await claim("c", "bob")], [true, false, true]);
    nowMs = KEY_LIFE_MS - 1;
    assert.equal(await claim("d"), false);
    nowMs = KEY_LIFE_MS;
    assert.equal(journal.read.runByKey("ann", "k", nowMs - KEY_LIFE_MS), undefined);
    assert.equal(await claim("e"), true);
    assert.equal(journal.read.runByKey("ann", "k", 0)?.runId, "e");
    await journal.close();
  });
});
