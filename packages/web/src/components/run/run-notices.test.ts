import assert from "node:assert/strict";
import { test } from "node:test";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { RunState } from "@weft/shared/records/state.ts";
import { partialEvent } from "@weft/shared/testing/partial-event.ts";
import { noticesOf, readWatched, withWatched } from "./run-notices.ts";

function ended(run_id: string, state: RunState = "COMPLETE"): WeftEvent {
  return partialEvent("run.ended", { run_id }, { state });
}

test("a watched run gives a notice when it ends", () => {
  const watched = withWatched(withWatched([], "r1", "Cohort"), "r2", "Other");
  assert.deepEqual(noticesOf(watched, [partialEvent("run.started", { run_id: "r1" }), ended("r3")]), []);
  assert.deepEqual(noticesOf(watched, [ended("r1", "EXECUTOR_ERROR")]), [{ runId: "r1", title: "Failed: Cohort" }]);
});

test("watched runs are bounded, and foreign entries ignored", () => {
  const runs = Array.from({ length: 60 }, (_, n) => `r${n}`);
  const watched = runs.reduce((before, id) => withWatched(before, id, `Run ${id}`), readWatched(null));
  assert.deepEqual([watched.length, watched[0]?.[0], watched.at(-1)?.[0]], [50, "r10", "r59"]);
  assert.equal(withWatched(watched, "r59", "New name").length, 50);
  assert.deepEqual(readWatched([1, ["x"], ["a", "b"]]), [["a", "b"]]);
});
