import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { expandIndices, parseAccount, parseEnds, parseQueue } from "./queue-lines.ts";

describe("the tasks that a line of the queue names", () => {
  const cases: readonly (readonly [string, readonly number[]])[] = [
    ["7", [7]],
    ["0-3", [0, 1, 2, 3]],
    ["1,4-5", [1, 4, 5]],
    ["0-10:5", [0, 5, 10]],
    ["2-3%1", [2, 3]],
    ["N/A", []],
    ["", []],
    ["5-3", []],
    ["1-2,...", [1, 2]],
  ];
  for (const [text, indices] of cases)
    it(`are ${JSON.stringify(indices)} for "${text}"`, () => assert.deepEqual(expandIndices(text), indices));
});

describe("the queue", () => {
  it("is read with tasks that wait spread out", () => {
    const text = "12|3-4|PENDING|Resources||weft-r-1\n12|0|RUNNING|None|n1|weft-r-1\n";
    assert.deepEqual(parseQueue(text), [
      { name: "weft-r-1", index: 3, id: "12_3", state: "PENDING", reason: "Resources", node: "" },
      { name: "weft-r-1", index: 4, id: "12_4", state: "PENDING", reason: "Resources", node: "" },
      { name: "weft-r-1", index: 0, id: "12_0", state: "RUNNING", reason: "None", node: "n1" },
    ]);
  });

  it("is read without foreign and malformed lines", () => {
    const text = "13|N/A|RUNNING|None|n1|other\n14|0|RUNNING|None|n1|a|weft-x\nslurm_load_jobs error\n\n";
    assert.deepEqual(parseQueue(text), []);
  });

  it("shows the ends of tasks in its columns", () => {
    const cells = ["2", "NODE_FAIL", "0:9", "n3", "weft-r-1"];
    const widths = [24, 24, 12, 64, 128];
    const line = cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join("");
    assert.deepEqual(parseEnds(`${line}\n`), [
      { name: "weft-r-1", index: 2, state: "NODE_FAIL", exitCode: 0, node: "n3", maxRssBytes: null },
    ]);
  });
});

describe("the accounts", () => {
  it("tell how tasks ended, and the memory of their scripts", () => {
    const text = [
      "12_3|weft-r-1|OUT_OF_MEMORY|0:125|n1|",
      "12_3.batch|batch|OUT_OF_MEMORY|0:125|n1|2048K",
      "12_4|weft-r-1|CANCELLED by 1000|0:0||",
      "15_0|other|COMPLETED|0:0|n1|",
      "",
    ].join("\n");
    assert.deepEqual(parseAccount(text), [
      { name: "weft-r-1", index: 3, state: "OUT_OF_MEMORY", exitCode: 0, node: "n1", maxRssBytes: 2_097_152 },
      { name: "weft-r-1", index: 4, state: "CANCELLED", exitCode: 0, node: "", maxRssBytes: null },
    ]);
  });
});
