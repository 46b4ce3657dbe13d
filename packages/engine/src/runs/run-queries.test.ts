import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLinks } from "@weft/shared/links.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { openMemoryJournal } from "../journal/memory-journal.ts";
import type { Caller } from "../port/caller.ts";
import type { EngineRuns } from "../port/engine.ts";
import { resultMethods } from "../table/result-methods.ts";
import { runsOf } from "../testing/ask-runs.ts";
import { createRunQueries, runQueryMethods, type QueryContext } from "./run-queries.ts";
import { runCreated } from "../journal/testing/new-events.ts";

const BOBS_RUN = "bobs";
const ann: Caller = { principal: "ann", links: createLinks("http://weft.test"), othersRuns: "hidden" };
const bob: Caller = { ...ann, principal: "bob" };

const journal = openMemoryJournal(() => 0);
await journal.append([{ ...runCreated(BOBS_RUN, {}, "bob"), blobs: [{ digest: "sha256:0", text: "{}" }] }]);

/** The queries, and what they ask the log. */
function recordedQueries() {
  const asked: string[] = [];
  const read = new Proxy(journal.read, {
    get(reader, name, receiver) {
      asked.push(String(name));
      return Reflect.get(reader, name, receiver);
    },
  });
  // A query that uses more than the log fails for a reason other than the expected one.
  const context = { journal: { read, nowMs: () => 0 }, reads: { of: () => ({}) } } as unknown as QueryContext;
  const methods = { ...runQueryMethods(context), ...resultMethods(context) };
  return { asked, queries: runsOf({ runs: createRunQueries(context) as EngineRuns, methods }) };
}

type Queries = ReturnType<typeof runsOf>;

const QUERIES: Readonly<Record<string, (queries: Queries, caller: Caller, runId: string) => unknown>> = {
  get: (queries, caller, runId) => queries.get(caller, runId),
  filled: (queries, caller, runId) => queries.filled(caller, runId, {}, {}),
  status: (queries, caller, runId) => queries.status(caller, runId),
  jobs: (queries, caller, runId) => queries.jobs(caller, runId, {}),
  jobTable: (queries, caller, runId) => queries.jobTable(caller, runId, {}),
  jobTimes: (queries, caller, runId) => queries.jobTimes(caller, runId),
  job: (queries, caller, runId) => queries.job(caller, runId, "smooth-0"),
  samples: (queries, caller, runId) => queries.samples(caller, runId, {}),
  table: (queries, caller, runId) => queries.table(caller, [runId], { what: "fields" }),
};

// Otherwise the response time would reveal that the run exists.
describe("a run that is hidden from the caller is refused after the same reads of the log as a missing one", () => {
  for (const [name, ask] of Object.entries(QUERIES))
    it(name, async () => {
      const readsFor = async (runId: string) => {
        const { asked, queries } = recordedQueries();
        await assert.rejects(async () => ask(queries, ann, runId), isNotFound);
        return asked;
      };
      assert.deepEqual(await readsFor(BOBS_RUN), await readsFor("none"));
    });

  it("reads more for its owner", () => {
    const { asked, queries } = recordedQueries();
    queries.jobs(bob, BOBS_RUN, {});
    assert.ok(new Set(asked).size > 1, asked.join());
  });
});

function isNotFound(error: unknown): boolean {
  return error instanceof Refusal && error.code === "run-not-found";
}
