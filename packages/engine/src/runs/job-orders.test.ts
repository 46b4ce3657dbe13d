import assert from "node:assert/strict";
import { it } from "node:test";
import { createLinks } from "@weft/shared/links.ts";
import { JobOrders } from "./job-orders.ts";

const CALLER = { principal: "ana", othersRuns: "hidden", links: createLinks("") } as const;

/** A thread that counts its requests, and a clock. */
function orders() {
  const at = { nowMs: 0, asked: 0, fails: false };
  const read = async () => {
    at.asked += 1;
    if (at.fails) throw new Error("broken");
    return Uint32Array.of(at.asked);
  };
  return { at, orders: new JobOrders(read, () => at.nowMs) };
}

const ENDED = { runId: "r", revision: 5, state: "COMPLETE" } as const;
const OPEN = { runId: "o", revision: 5, state: "RUNNING" } as const;

it("requests the order of an ended run once", async () => {
  const { at, orders: kept } = orders();
  for (const nowMs of [0, 1e9]) {
    at.nowMs = nowMs;
    assert.deepEqual([...(await kept.get(CALLER, ENDED, { sort: "n" }))], [1]);
  }
  assert.deepEqual([...(await kept.get(CALLER, { ...ENDED, revision: 6 }, { sort: "n" }))], [2]);
  assert.deepEqual([...(await kept.get(CALLER, ENDED, { sort: "-n" }))], [3]);
});

it("the order of an open run is used for a moment", async () => {
  const { at, orders: kept } = orders();
  const get = async (revision: number) => [...(await kept.get(CALLER, { ...OPEN, revision }, { sort: "n" }))];
  assert.deepEqual(await get(1), [1]);
  at.nowMs = 1999;
  assert.deepEqual(await get(2), [1]);
  at.nowMs = 2000;
  assert.deepEqual(await get(2), [2]);
});

it("few orders are kept, the most recently requested ones", async () => {
  const { at, orders: kept } = orders();
  for (let n = 0; n < 17; n += 1) {
    await kept.get(CALLER, ENDED, { sort: "n", q: String(n) });
    await kept.get(CALLER, ENDED, { sort: "n", q: "0" });
  }
  assert.equal(at.asked, 17);
  await kept.get(CALLER, ENDED, { sort: "n", q: "1" });
  assert.equal(at.asked, 18);
});

it("requests an order again after a failure", async () => {
  const { at, orders: kept } = orders();
  at.fails = true;
  await assert.rejects(kept.get(CALLER, ENDED, { sort: "n" }), /broken/);
  at.fails = false;
  assert.deepEqual([...(await kept.get(CALLER, ENDED, { sort: "n" }))], [2]);
});
