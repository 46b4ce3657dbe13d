import assert from "node:assert/strict";
import { test } from "node:test";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { RunState } from "@weft/shared/records/state.ts";
import { partialEvent } from "@weft/shared/testing/partial-event.ts";
import { WatchedRuns } from "./run-notices.ts";

function storage(): Pick<Storage, "getItem" | "setItem"> {
  const items = new Map<string, string>();
  return { getItem: (key) => items.get(key) ?? null, setItem: (key, value) => void items.set(key, value) };
}

function ended(run_id: string, state: RunState = "COMPLETE"): WeftEvent {
  return partialEvent("run.ended", { run_id }, { state });
}

test("a watched run gives one notice when it ends", () => {
  const watched = new WatchedRuns(storage());
  watched.add("r1", "Cohort");
  watched.add("r2", "Other");
  assert.deepEqual(watched.take([partialEvent("run.started", { run_id: "r1" }), ended("r3")]), []);
  assert.deepEqual(watched.take([ended("r1", "EXECUTOR_ERROR")]), [{ runId: "r1", title: "Failed: Cohort" }]);
  assert.deepEqual(watched.take([ended("r1")]), []);
  assert.deepEqual([watched.has("r1"), watched.has("r2")], [false, true]);
});

test("wishes are kept, taken back and bounded", () => {
  const kept = storage();
  const watched = new WatchedRuns(kept);
  for (let n = 0; n < 60; n += 1) watched.add(`r${n}`, `Run ${n}`);
  watched.remove("r59");
  const later = new WatchedRuns(kept);
  assert.deepEqual([later.has("r9"), later.has("r10"), later.has("r58"), later.has("r59")], [false, true, true, false]);
  kept.setItem("weft-watched-runs", '[1, ["x"], ["a", "b"]]');
  assert.equal(later.has("a"), true);
});
