import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { abortText } from "./abort-text.ts";

const KILL = { asked_ms: 1000, confirmed_ms: 1300, signals: [], processes_found: 3, processes_killed: 1 };

describe("abortText", () => {
  it("says in one line what was stopped and how that was verified", () => {
    assert.equal(
      abortText({ ...KILL, evidence: ["groups"] }),
      "aborted: 3 processes stopped, 1 of them killed; verified after 300 ms: the process group is gone",
    );
  });

  it("does not claim anything unproven", () => {
    const text = abortText({ ...KILL, processes_found: 1, processes_killed: 0, confirmed_ms: null, evidence: [] });
    assert.equal(text, "aborted: 1 process stopped; not yet verified that all have stopped");
  });
});
