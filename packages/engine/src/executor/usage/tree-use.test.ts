import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { treeUse } from "./tree-use.ts";

/** A folder like /proc: parent, memory now and at most, in kB, of each process. */
function table(processes: Readonly<Record<number, readonly [number, number, number]>>) {
  const proc = temporaryFolder({ "self/": "" });
  for (const [pid, [parent, now, most]] of Object.entries(processes))
    writeFiles(join(proc, pid), {
      stat: `${pid} (a ) S b) S ${parent} 1 1\n`,
      status: `Name:\tx\nVmHWM:\t  ${most} kB\nVmRSS:\t  ${now} kB\nThreads:\t2\n`,
    });
  return proc;
}

describe("treeUse", () => {
  it("adds up all descendants, or takes the peak of one that was larger, and leaves out the root", () => {
    const proc = table({
      1: [0, 9, 9],
      10: [1, 1000, 1000],
      11: [10, 2, 3],
      12: [11, 4, 5],
      20: [1, 1000, 1000],
      21: [20, 1, 64],
      30: [1, 7, 7],
    });
    assert.deepEqual(treeUse([10, 20, 30, 40], proc), [
      [10, { bytes: 6 * 1024, tasks: 4 }],
      [20, { bytes: 64 * 1024, tasks: 2 }],
      [30, { bytes: 0, tasks: 0 }],
      [40, { bytes: 0, tasks: 0 }],
    ]);
  });
});
