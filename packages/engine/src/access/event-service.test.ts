import assert from "node:assert/strict";
import { test } from "node:test";
import { createLinks } from "@weft/shared/links.ts";
import type { RouteQuery } from "@weft/shared/routes/routes.ts";
import type { Journal } from "../journal/journal.ts";
import type { Caller } from "../port/caller.ts";
import { ask } from "../testing/ask-engine.ts";
import { createEventService, momentMethods } from "./event-service.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { openMemoryJournal } from "../journal/memory-journal.ts";
import { jobQueued, runCreated } from "../journal/testing/new-events.ts";

const ann: Caller = { principal: "ann", links: createLinks("http://weft.test"), othersRuns: "hidden" };

const started: NewEvent = {
  type: "server.started",
  run_id: null,
  actor: "engine",
  data: { version: "0.1.0", pid: 1 },
};

const steps = [{ step: "smooth", jobs_total: 0, jobs_total_is_final: false }];
const bobsRun: NewEvent = {
  ...runCreated("bobs", { kind: "network", process_id: "cohort", steps }, "bob"),
  blobs: [{ digest: "sha256:0", text: "{}" }],
};
const bobsJob = (n: number) => jobQueued("bobs", n);

test("pages for one owner examine a limited number of foreign events each, and lead to the next", async () => {
  const journal = openMemoryJournal(() => 0);
  const jobs = Array.from({ length: 24_999 }, (_, n) => bobsJob(n));
  await journal.append([started, bobsRun, ...jobs, started]);
  const events = createEventService(journal);
  const pages: string[] = [];
  let pageToken = "";
  do {
    const page = events.page(ann, { pageToken });
    pages.push(`${page.events.map(({ seq }) => seq).join(" ")} to ${page.read_to}`);
    pageToken = page.next_page_token;
  } while (pageToken !== "");
  assert.deepEqual(pages, ["1 to 10000", " to 20000", "25002 to 25002"]);
  assert.equal(events.page({ ...ann, othersRuns: "visible" }, { pageSize: 500 }).events.length, 500);
  await journal.close();
});

function momentsOf(journal: Journal) {
  const engine = { methods: momentMethods({ journal }) };
  return (caller: Caller, query: RouteQuery<"GET /api/runs/{run_id}/moment">) =>
    ask(engine, "GET /api/runs/{run_id}/moment", { caller, params: { run_id: "bobs" }, query });
}

test("a moment is a position among the events of one run", async () => {
  const journal = openMemoryJournal(() => 0);
  await journal.append([bobsRun, started, bobsJob(1), started, bobsJob(2)]);
  const all: Caller = { ...ann, othersRuns: "visible" };
  const moment = momentsOf(journal);
  const cases: readonly [RouteQuery<"GET /api/runs/{run_id}/moment">, string][] = [
    [{}, "5 is 3 of 3, after 3 and before null"],
    [{ at: 3 }, "3 is 2 of 3, after 1 and before 5"],
    [{ at: 4 }, "3 is 2 of 3, after 1 and before 5"],
    [{ at: 0 }, "1 is 1 of 3, after null and before 3"],
    [{ at: Number.MAX_SAFE_INTEGER }, "5 is 3 of 3, after 3 and before null"],
    [{ number: 1 }, "1 is 1 of 3, after null and before 3"],
    [{ number: 2, at: 0 }, "3 is 2 of 3, after 1 and before 5"],
    [{ number: 1_000_000_000 }, "5 is 3 of 3, after 3 and before null"],
  ];
  for (const [query, text] of cases) {
    const { seq, number, total, previous_seq, next_seq } = await moment(all, query);
    assert.equal(`${seq} is ${number} of ${total}, after ${previous_seq} and before ${next_seq}`, text);
  }
  const { type, job_id, step, sample_id } = await moment(all, { at: 3 });
  assert.deepEqual([type, job_id, step, sample_id], ["job.queued", "smooth-1", "smooth", null]);
  await assert.rejects(moment(ann, {}), { code: "run-not-found" });
  await journal.close();
});

test("positions in a long log are counted from marks, even while the log grows", async () => {
  const journal = openMemoryJournal(() => 0);
  const all: Caller = { ...ann, othersRuns: "visible" };
  const moment = momentsOf(journal);
  await journal.append([bobsRun]);
  for (const jobs of [254, 1, 1, 600, 3000]) {
    const before = journal.lastSeq;
    // The events of the run have even numbers after the first.
    const batch = Array.from({ length: jobs }, (_, n) => [started, bobsJob(before + n)]).flat();
    await journal.append(batch);
    const seqs = journal.read.events({ runId: "bobs", since: 0, limit: 10_000 }).map(({ seq }) => seq);
    for (const number of [1, 2, 255, 256, 257, 258, 512, 513, 514, seqs.length - 1, seqs.length]) {
      if (number > seqs.length) continue;
      const seq = seqs[number - 1] ?? 0;
      const [byNumber, bySeq] = await Promise.all([moment(all, { number }), moment(all, { at: seq })]);
      assert.deepEqual(byNumber, bySeq);
      assert.deepEqual([bySeq.seq, bySeq.number, bySeq.total], [seq, number, seqs.length]);
      assert.deepEqual([bySeq.previous_seq, bySeq.next_seq], [seqs[number - 2] ?? null, seqs[number] ?? null]);
    }
  }
  await journal.close();
});
