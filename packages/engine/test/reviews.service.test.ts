import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ReviewSamples } from "@weft/shared/records/review-record.ts";
import type { TablePage } from "@weft/shared/records/table-record.ts";
import type { Caller } from "../src/port/caller.ts";
import { caller, runToEnd } from "../src/testing/drive-runs.ts";
import { catalogFile, serveCatalog } from "./test-catalog.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { runsOf } from "../src/testing/ask-runs.ts";
import { columns } from "../src/testing/columns.ts";

const { engine } = await serveCatalog();
const admin: Caller = { ...caller, principal: "admin", othersRuns: "changeable" };

const inputs = { texts: ["one.txt", "two.txt"].map(catalogFile) };
const run = () => runToEnd(engine, { network: "shout-all", inputs, samples: { texts: ["s1", "s2"] } });
const { run_id: runId } = await run();

const review = (reviews: ReviewSamples["reviews"], by = caller, of = runId) =>
  ask(engine, "POST /api/runs/{run_id}/reviews", { caller: by, params: { run_id: of }, body: { reviews } });
const page = (of: string, query = {}) =>
  ask(engine, "GET /api/runs/{run_id}/reviews", { caller, params: { run_id: of }, query });
const listed = async () => columns((await page(runId)).reviews, "sample_id", "verdict", "comment", "reviewed_by");

describe("reviews of samples", () => {
  it("are kept with their author; later ones replace earlier ones, and empty ones remove them", async () => {
    const answer = await review([
      { sample_id: "s1", verdict: "pass" },
      { sample_id: "s2", verdict: "fail", comment: " motion\n" },
    ]);
    assert.deepEqual([answer.passed, answer.failed, answer.reviews.length], [1, 1, 2]);
    assert.deepEqual(await listed(), [
      ["s1", "pass", "", "ann"],
      ["s2", "fail", "motion", "ann"],
    ]);
    await review([{ sample_id: "s2", verdict: "pass", comment: "fine" }], admin);
    await review([{ sample_id: "s1", verdict: null }]);
    assert.deepEqual(await listed(), [["s2", "pass", "fine", "admin"]]);
  });

  it("stay in the log, one event for each request", () => {
    const { events } = engine.events.page(caller, { runId, pageSize: 1000 });
    const found = events.flatMap(({ type, actor, data }) =>
      type === "run.reviewed" ? [[actor, data.reviews.length]] : [],
    );
    assert.deepEqual(found, [
      ["ann", 2],
      ["admin", 1],
      ["ann", 1],
    ]);
  });

  it("are fields of the table", async () => {
    const fields = ["review.verdict", "review.comment", "review.reviewed_by"];
    const table = await runsOf(engine).table(caller, [runId], { what: "page", fields, page_size: 10 });
    const { rows } = JSON.parse(table.toString()) as TablePage;
    assert.deepEqual(
      rows.map(({ sample_id, values }) => [sample_id, ...values]),
      [
        ["s1", null, null, null],
        ["s2", "pass", "fine", "admin"],
      ],
    );
  });

  it("come in pages", async () => {
    const { run_id: other } = await run();
    const both = ["s2", "s1"].map((sample_id) => ({ sample_id, verdict: "pass" as const }));
    await review(both, caller, other);
    const first = await page(other, { page_size: 1 });
    const second = await page(other, { page_size: 1, page_token: first.next_page_token });
    assert.deepEqual(
      [first, second].map(({ reviews, passed, next_page_token: next }) => [reviews[0]?.sample_id, passed, next === ""]),
      [
        ["s1", 2, false],
        ["s2", 2, true],
      ],
    );
  });

  it("are refused for samples that the run does not have, and then nothing is recorded", async () => {
    const reviews = ["s1", "../s9"].map((sample_id) => ({ sample_id, verdict: "fail" as const }));
    await assert.rejects(review(reviews), { code: "invalid-body", message: /no sample "..\/s9"/ });
    assert.equal((await listed()).length, 1);
  });
});
