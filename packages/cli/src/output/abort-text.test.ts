import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { abortText } from "./abort-text.ts";

const KILL = { asked_ms: 1000, confirmed_ms: 1300, signals: [], processes_found: 3, processes_killed: 1 };

describe("abortText", () => {
  it("says in one line what was ended and how that is known", () => {
    assert.equal(
      abortText({ ...KILL, evidence: ["groups"] }),
      "aborted: 3 processes ended, 1 by force; none left after 300 ms: its process group is gone",
    );
  });

  it("does not claim what is not proven", () => {
    const text = abortText({ ...KILL, processes_found: 1, processes_killed: 0, confirmed_ms: null, evidence: [] });
    assert.equal(text, "aborted: 1 process ended; it is not proven that none is left");
  });
});
