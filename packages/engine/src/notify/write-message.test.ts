import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLinks } from "@weft/shared/links.ts";
import type { RunRow } from "../journal/rows.ts";
import { writeFeed } from "./write-feed.ts";
import { writeMessage } from "./write-message.ts";

const ENDS = [
  ["COMPLETE", "success", '"Night" succeeded.'],
  ["EXECUTOR_ERROR", "failure", '"Night" failed.'],
  ["EXECUTOR_ERROR", "partial", '"Night" failed; some of its outputs exist.'],
  ["CANCELED", "canceled", '"Night" was aborted.'],
] as const;

describe("the text about the end of a run", () => {
  for (const [state, outcome, text] of ENDS)
    it(`is the same in messages and feeds: ${text}`, () => {
      // The parts of a row that a message is made of.
      const run = {
        ...{ runId: "r", name: "Night", kind: "network", processId: "cohort", owner: "ann" },
        ...{ state, outcome, createdMs: 0, endedMs: 1 },
      } as unknown as RunRow;
      const links = createLinks("http://weft.test");
      const trigger = outcome === "success" ? "success" : "failure";
      assert.equal(writeMessage({ trigger, automationId: null, createdMs: 0 }, run, links).data.text, text);
      const feed = writeFeed({ network: "cohort", runs: [{ run, needsReview: false }], links, nowMs: 0 });
      assert.ok(feed.includes(`<title>${text.replaceAll('"', "&quot;")}</title>`));
      assert.ok(feed.includes(`term="${outcome === "partial" ? "failure" : outcome}"`));
    });
});
