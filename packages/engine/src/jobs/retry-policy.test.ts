import assert from "node:assert/strict";
import { test } from "node:test";
import { retryDelayMs, type FailedAttempt } from "./retry-policy.ts";

const delaysMs = [1, 5, 30];
const FAILED: FailedAttempt = { attempt: 1, code: "TOOL_EXIT", isTemporary: false, ramMib: 256 };

test("a failed attempt is retried after a growing delay, as often as allowed", () => {
  const cases: readonly [Partial<FailedAttempt>, number | undefined, number | undefined][] = [
    [{}, undefined, undefined],
    [{}, 1, 1],
    [{ attempt: 2 }, 1, undefined],
    [{ attempt: 10 }, 10, 30],
    [{ attempt: 11 }, 10, undefined],
    [{ isTemporary: true }, undefined, 1],
    [{ isTemporary: true, attempt: 2 }, undefined, 5],
    [{ isTemporary: true, attempt: 3 }, undefined, undefined],
    [{ isTemporary: true }, 0, undefined],
    [{ code: "BACKEND_LOST" }, undefined, 1],
    [{ code: "BACKEND_LOST", attempt: 3 }, undefined, undefined],
    [{ code: "DISK_FULL" }, undefined, 1],
    [{ code: "SUBMIT_REJECTED" }, undefined, undefined],
    [{ code: "SUBMIT_REJECTED" }, 1, 1],
    [{ code: "MISSING_OUTPUT" }, 1, 1],
    [{ code: "EXPRESSION" }, 10, undefined],
    [{ code: "STAGE_IN" }, 10, undefined],
  ];
  for (const [failed, retries, expected] of cases)
    assert.equal(
      retryDelayMs({ ...FAILED, ...failed }, { retries, delaysMs, mostMemoryMib: undefined }),
      expected,
      JSON.stringify([failed, retries]),
    );
});

test("an attempt that ran out of memory is followed by another as long as that one can have more", () => {
  const cases: readonly [Partial<FailedAttempt>, number | undefined, number | undefined][] = [
    [{ code: "OUT_OF_MEMORY" }, undefined, undefined],
    [{ code: "OUT_OF_MEMORY" }, 1024, 1],
    [{ code: "OUT_OF_MEMORY", attempt: 7 }, 1024, 30],
    [{ code: "OUT_OF_MEMORY", ramMib: 1024 }, 1024, undefined],
    [{ code: "TOOL_EXIT" }, 1024, undefined],
  ];
  for (const [failed, mostMemoryMib, expected] of cases)
    assert.equal(
      retryDelayMs({ ...FAILED, ...failed }, { retries: undefined, delaysMs, mostMemoryMib }),
      expected,
      JSON.stringify([failed, mostMemoryMib]),
    );
  const asked = { retries: 1, delaysMs, mostMemoryMib: 1024 };
  assert.equal(retryDelayMs({ ...FAILED, code: "OUT_OF_MEMORY", ramMib: 1024 }, asked), 1);
});
