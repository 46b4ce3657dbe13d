import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CallerGate } from "./caller-gate.ts";

function gateOf(width: number) {
  const gate = new CallerGate(width);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (caller: string, work: string) =>
    gate.pass(caller, () => {
      begun.push(work);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(work, resolve);
      return promise;
    });
  const end = async (work: string) => {
    ends.get(work)?.();
    await settled();
  };
  return { ask, begun, end };
}

/** All microtasks have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("a gate for callers", () => {
  it("lets another caller through while one has much to do", async () => {
    const { ask, begun, end } = gateOf(2);
    for (const work of ["a1", "a2", "a3"]) void ask("a", work);
    void ask("b", "b1");
    await settled();
    assert.deepEqual(begun, ["a1", "b1"]);
    await end("b1");
    assert.deepEqual(begun, ["a1", "b1"]);
    await end("a1");
    assert.deepEqual(begun, ["a1", "b1", "a2"]);
  });

  it("limits the calls at a time, and callers take turns", async () => {
    const { ask, begun, end } = gateOf(2);
    for (const work of ["a1", "b1", "a2", "b2", "c1", "d1"]) void ask(work.slice(0, 1), work);
    await settled();
    assert.deepEqual(begun, ["a1", "b1"]);
    await end("a1");
    await end("b1");
    assert.deepEqual(begun, ["a1", "b1", "a2", "b2"]);
    for (const work of ["a2", "b2", "c1", "d1"]) await end(work);
    assert.deepEqual(begun.toSorted(), ["a1", "a2", "b1", "b2", "c1", "d1"]);
  });

  it("lets the next through when one fails", async () => {
    const gate = new CallerGate(1);
    await assert.rejects(
      gate.pass("a", () => Promise.reject(new Error("broken"))),
      /broken/,
    );
    assert.equal(await gate.pass("a", async () => 1), 1);
  });
});
