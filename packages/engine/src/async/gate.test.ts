import assert from "node:assert/strict";
import { it } from "node:test";
import { Gate } from "./gate.ts";

it("a gate limits the calls at a time, in their order, and passes on failures", async () => {
  const gate = new Gate(2);
  const doors = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const passing = doors.map(({ promise }, number) =>
    gate.pass(async () => {
      begun.push(number);
      await promise;
      return number;
    }),
  );
  assert.deepEqual(begun, [0, 1]);
  doors[1]?.reject(new Error("broken"));
  await assert.rejects(passing[1] ?? Promise.resolve(), /broken/);
  assert.deepEqual(begun, [0, 1, 2]);
  for (const { resolve } of doors) resolve();
  assert.deepEqual(
    (await Promise.allSettled(passing)).map(({ status }) => status === "fulfilled"),
    [true, false, true, true, true],
  );
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
});
