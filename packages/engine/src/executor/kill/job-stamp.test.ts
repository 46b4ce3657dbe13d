import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { canStamp, isStampOf, parseStamp, stampOf } from "./job-stamp.ts";

const job = { jobId: "a", attempt: 1 };
const limits = (soft: string, hard = soft) =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax file locks            ${soft.padEnd(20)} ${hard.padEnd(20)} locks     \n`;

describe("a stamp", () => {
  const stamp = stampOf("run", job);

  it("is a number that every shell can read", () => assert.ok(stamp >= 2n ** 62n && stamp < 2n ** 63n));

  it("is that of its attempt and of its run, and of no other", () => {
    for (const target of [{ runId: "run", job }, { runId: "run" }]) assert.ok(isStampOf(stamp, target));
    for (const target of [{ runId: "run", job: { ...job, attempt: 2 } }, { runId: "other" }, { runId: "other", job }])
      assert.ok(!isStampOf(stamp, target));
  });

  const cases: [string, bigint | undefined, boolean][] = [
    [limits(String(stamp)), stamp, false],
    [limits("unlimited"), undefined, true],
    [limits("1024"), undefined, false],
    [limits("unlimited", "1024"), undefined, false],
    [limits(String(2n ** 64n - 1n)), undefined, false],
    ["", undefined, false],
  ];
  for (const [text, expected, isFree] of cases)
    it(`is read as ${expected} and ${isFree ? "can" : "cannot"} be given with ${JSON.stringify(text.slice(-60))}`, () => {
      assert.equal(parseStamp(text), expected);
      assert.equal(canStamp(text), isFree);
    });
});
