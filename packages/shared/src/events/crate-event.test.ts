import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { crateEventSchema } from "./crate-event.ts";

const JOB = { job_id: "a", step: "s", sample_id: null };

describe("the durations of a crate's events", () => {
  const running = (late_ms: unknown) => ({ type: "job.running", ...JOB, data: { native_id: "1", late_ms } });

  it("are accepted if times can be calculated from them", () =>
    assert.ok(crateEventSchema.safeParse(running(3_600_000)).success));

  for (const hostile of [Number.MAX_SAFE_INTEGER, -1, 0.5, "100"])
    it(`are refused: ${JSON.stringify(hostile)}`, () => {
      const { error } = crateEventSchema.safeParse(running(hostile));
      assert.deepEqual(error?.issues[0]?.path, ["data", "late_ms"]);
    });
});
