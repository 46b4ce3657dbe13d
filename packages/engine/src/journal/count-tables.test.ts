import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { EventAppender } from "./append-events.ts";
import type { NewEvent } from "./journal-event.ts";
import { readRuns } from "./read-runs.ts";
import { Statements } from "./statements.ts";
import { openForWriting } from "./open-database.ts";
import { runCreated, runEnded } from "./testing/new-events.ts";

type OfRun = Pick<NewEvent, "run_id" | "actor"> & { readonly run_id: string };

/** Possible events of a run, in any order: the log refuses those that come too late. */
const changes: readonly ((run: OfRun, bytes: number) => NewEvent)[] = [
  (run) => ({ ...run, type: "run.started", data: {} }),
  (run) => ({ ...run, type: "run.paused", data: { reason: { code: "WAITING", message: "waits" } } }),
  (run) => ({ ...run, type: "run.resumed", data: {} }),
  (run) => ({ ...run, type: "run.canceling", data: { outstanding_jobs: [] } }),
  (run) => ({ ...runEnded(run.run_id), actor: run.actor }),
  (run) => ({ ...run, type: "run.described", data: { archived: true } }),
  (run) => ({ ...run, type: "run.described", data: { archived: false } }),
  (run, bytes) => ({
    ...run,
    type: "run.measured",
    data: { outputs_bytes: bytes, intermediate_bytes: 2 * bytes, logs_bytes: 1 },
  }),
];

const history = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat({ max: changes.length - 1 }), fc.nat()), {
  maxLength: 30,
});

describe("the counts of runs and their disk space", () => {
  it("equal the counted and summed values after each event", () => {
    fc.assert(
      fc.property(history, (steps) => {
        using db = openForWriting(":memory:", "fast");
        const appender = new EventAppender(db, () => ({ read: () => ({ nowMs: 1, movedMs: 0 }), offsetMs: 0 }));
        for (const run of ["a", "b", "c"]) appender.appendAll([[runCreated(run, {}, run === "c" ? "bob" : "ann")]]);
        for (const [runId, change, bytes] of steps) {
          const event = changes[change]?.({ run_id: runId, actor: "ann" }, bytes % 1000);
          if (event !== undefined) appender.appendAll([[event]]);
        }
        const counted = () => [
          db.prepare("SELECT owner, state, archived, runs FROM run_counts WHERE runs <> 0 ORDER BY 1, 2, 3").all(),
          db.prepare("SELECT outputs_bytes, intermediate_bytes, logs_bytes FROM storage_totals").get(),
        ];
        const expected = [
          db
            .prepare("SELECT owner, state, archived, count(*) AS runs FROM runs GROUP BY 1, 2, 3 ORDER BY 1, 2, 3")
            .all(),
          db
            .prepare(
              `SELECT coalesce(sum(outputs_bytes), 0) AS outputs_bytes, coalesce(sum(logs_bytes), 0) AS logs_bytes,
                 coalesce(sum(intermediate_bytes), 0) AS intermediate_bytes FROM storage`,
            )
            .get(),
        ];
        assert.deepEqual(counted(), expected);
        const shown = { states: ["QUEUED", "COMPLETE"], archived: false, ascending: false, pageSize: 1 };
        const read = readRuns(new Statements(db));
        const { total } = read.runs(shown);
        const count = "SELECT count(*) AS n FROM runs WHERE state IN ('QUEUED', 'COMPLETE') AND archived = 0";
        assert.equal(total, db.prepare(count).get()?.["n"]);
        const succeeded = read.runs({ ...shown, states: ["COMPLETE"] }).total;
        assert.equal(read.outcomesSince(0)["success"] ?? 0, succeeded, "the counter and the list that it leads to");
        const ofBob = read.runs({ ...shown, states: ["COMPLETE"], visibleOwner: "bob" }).total;
        assert.deepEqual(
          [read.stateCounts("bob")["COMPLETE"] ?? 0, read.outcomesSince(0, "bob")["success"] ?? 0],
          [ofBob, ofBob],
        );
      }),
      { numRuns: 60 },
    );
  });
});
