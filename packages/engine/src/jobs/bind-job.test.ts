import assert from "node:assert/strict";
import { test } from "node:test";
import { withMoreMemory, type MemoryPolicy } from "./bind-job.ts";

const MIB = 1024 * 1024;
const rest = { coresMin: 1, coresMax: undefined, tmpdirMin: 1, outdirMin: 1 };

test("raises the memory request of a job that ran out of memory", () => {
  const twice: MemoryPolicy = { multiply: 2 };
  const cases: readonly [MemoryPolicy, number, readonly [number, number?], readonly [number, number?]][] = [
    [undefined, 3, [256], [256]],
    [twice, 0, [256, 512], [256, 512]],
    [twice, 1, [256], [512]],
    [twice, 2, [256, 300], [1024, 1200]],
    [{ multiply: 1.5 }, 1, [101], [152]],
    [twice, 9, [256, 512], [4000, 4000]],
    [{ multiply: 2, up_to_bytes: 700 * MIB }, 2, [256, 300], [700, 700]],
    // The job never gets less than the tool itself requests.
    [{ multiply: 2, up_to_bytes: 100 * MIB }, 1, [256, 512], [256, 512]],
  ];
  for (const [policy, times, [ramMin, ramMax], [wantedMin, wantedMax]] of cases) {
    const grown = withMoreMemory({ ...rest, ramMin, ramMax }, { policy, times, machineMib: 4000 });
    assert.deepEqual([grown.ramMin, grown.ramMax], [wantedMin, wantedMax], JSON.stringify([policy, times, ramMin]));
  }
});
