import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { TablePage } from "@weft/shared/records/table-record.ts";
import type { Caller } from "../src/port/caller.ts";
import { caller, runToEnd } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { catalogExecutor, catalogFile, TEST_CATALOG } from "./test-catalog.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { runsOf } from "../src/testing/ask-runs.ts";

const executor = catalogExecutor();

const root = temporaryFolder(TEST_CATALOG);
const admin: Caller = { ...caller, principal: "admin", othersRuns: "changeable" };

const run = async () =>
  (
    await runToEnd(engine, {
      network: "shout-all",
      inputs: { texts: ["one.txt", "two.txt"].map(catalogFile) },
      samples: { texts: ["s1", "s2"] },
    })
  ).run_id;

const engine = await openTestEngine(root, { executor });
const runId = await run();
after(() => engine.stop("cancel"));

const listed = async (of = runId) =>
  (await ask(engine, "GET /api/runs/{run_id}/reviews", { caller, params: { run_id: of } })).reviews.map((one) => [
    one.sample_id,
    one.verdict,
    one.comment,
    one.reviewed_by,
  ]);

describe("reviews of samples", () => {
  it("are kept with their author; later ones replace earlier ones, and empty ones remove them", async () => {
    const reviews = [
      { sample_id: "s1", verdict: "pass" as const },
      { sample_id: "s2", verdict: "fail" as const, comment: " motion\n" },
    ];
    const answer = await ask(engine, "POST /api/runs/{run_id}/reviews", {
      caller,
      params: { run_id: runId },
      body: { reviews },
    });
    assert.deepEqual([answer.passed, answer.failed, answer.reviews.length], [1, 1, 2]);
    assert.deepEqual(await listed(), [
      ["s1", "pass", "", "ann"],
      ["s2", "fail", "motion", "ann"],
    ]);
    await ask(engine, "POST /api/runs/{run_id}/reviews", {
      caller: admin,
      params: { run_id: runId },
      body: { reviews: [{ sample_id: "s2", verdict: "pass", comment: "fine" }] },
    });
    await ask(engine, "POST /api/runs/{run_id}/reviews", {
      caller,
      params: { run_id: runId },
      body: { reviews: [{ sample_id: "s1", verdict: null }] },
    });
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
    const other = await run();
    await ask(engine, "POST /api/runs/{run_id}/reviews", {
      caller,
      params: { run_id: other },
      body: {
        reviews: ["s2", "s1"].map((sample_id) => ({ sample_id, verdict: "pass" as const })),
      },
    });
    const first = await ask(engine, "GET /api/runs/{run_id}/reviews", {
      caller,
      params: { run_id: other },
      query: { page_size: 1 },
    });
    const second = await ask(engine, "GET /api/runs/{run_id}/reviews", {
      caller,
      params: { run_id: other },
      query: { page_size: 1, page_token: first.next_page_token },
    });
    assert.deepEqual(
      [first, second].map(({ reviews, passed, next_page_token: next }) => [reviews[0]?.sample_id, passed, next === ""]),
      [
        ["s1", 2, false],
        ["s2", 2, true],
      ],
    );
  });

  it("are refused for samples that the run does not have, and then nothing is recorded", async () => {
    const reviews = [
      { sample_id: "s1", verdict: "fail" as const },
      { sample_id: "../s9", verdict: "fail" as const },
    ];
    const review = ask(engine, "POST /api/runs/{run_id}/reviews", {
      caller,
      params: { run_id: runId },
      body: { reviews },
    });
    await assert.rejects(review, { code: "invalid-body", message: /no sample "..\/s9"/ });
    assert.equal((await listed()).length, 1);
  });
});
