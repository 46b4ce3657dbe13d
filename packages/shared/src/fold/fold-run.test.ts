import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RUN_STATES } from "../records/state-names.ts";
import type { RunState } from "../records/state.ts";
import { foldRun, type FoldedRunEvent, type RunChangeType } from "./fold-run.ts";

const OPEN = ["QUEUED", "INITIALIZING", "RUNNING", "PAUSED", "CANCELING"] as const satisfies readonly RunState[];
const FINAL = RUN_STATES.slice(OPEN.length);

/** The next states of runs that are QUEUED, INITIALIZING, RUNNING, PAUSED and CANCELING; "-": the event comes too late. */
const CASES: Readonly<Partial<Record<RunChangeType, readonly [string, string, string, string, string]>>> = {
  "run.fetching": ["INITIALIZING", "INITIALIZING", "RUNNING", "PAUSED", "CANCELING"],
  "run.fetched": ["QUEUED", "INITIALIZING", "RUNNING", "PAUSED", "CANCELING"],
  "run.started": ["RUNNING", "RUNNING", "-", "PAUSED", "-"],
  "run.paused": ["PAUSED", "PAUSED", "PAUSED", "-", "-"],
  "run.resumed": ["-", "-", "-", "QUEUED", "-"],
  "run.canceling": ["CANCELING", "CANCELING", "CANCELING", "CANCELING", "-"],
  "run.ended": ["COMPLETE", "COMPLETE", "COMPLETE", "COMPLETE", "COMPLETE"],
  "run.outputs": ["QUEUED", "INITIALIZING", "RUNNING", "PAUSED", "CANCELING"],
};

function next(state: RunState, type: RunChangeType, hasBegun = false): string {
  // The fold reads only the state of `run.ended`.
  const event = { type, data: { state: "COMPLETE" } } as object as FoldedRunEvent;
  return foldRun(state, event, () => hasBegun) ?? "-";
}

describe("the state of a run", () => {
  for (const [type, expected] of Object.entries(CASES))
    it(`follows from ${type}`, () => {
      const change = type as RunChangeType; // a key of the table
      assert.deepEqual(
        OPEN.map((state) => next(state, change)),
        expected,
      );
      for (const state of FINAL) assert.equal(next(state, change), "-", state);
    });

  it("is RUNNING again after a pause, if it was before", () => {
    assert.equal(next("PAUSED", "run.resumed", true), "RUNNING");
  });

  it("stays final when later events describe its files, outputs and samples", () => {
    for (const type of ["run.compared", "run.tested", "run.measured", "run.pruning", "run.pruned"] as const) {
      assert.equal(next("COMPLETE", type), "COMPLETE");
      for (const state of OPEN) assert.equal(next(state, type), "-");
    }
    for (const type of ["run.described", "run.reviewed", "run.steps", "run.inputs"] as const)
      for (const state of RUN_STATES) assert.equal(next(state, type), state);
  });
});
