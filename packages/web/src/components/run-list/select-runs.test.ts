import assert from "node:assert/strict";
import { test } from "node:test";
import { NOTHING_SELECTED, type Selection, abortedText, select } from "./select-runs.ts";

const shown = ["a", "b", "c", "d", "e"];
const step = (old: Selection, id: string, isRange = false): Selection => select(old, { shown, id, isRange });
const ids = (selection: Selection): string => [...selection.ids].toSorted().join("");

test("a run is selected and deselected", () => {
  const one = step(NOTHING_SELECTED, "b");
  assert.equal(ids(one), "b");
  assert.equal(ids(step(one, "b")), "");
});

test("a range extends from the previous run to this one, in either direction, and can be deselected", () => {
  assert.equal(ids(step(step(NOTHING_SELECTED, "b"), "d", true)), "bcd");
  assert.equal(ids(step(step(NOTHING_SELECTED, "d"), "a", true)), "abcd");
  const all = step(step(NOTHING_SELECTED, "a"), "e", true);
  assert.equal(ids(step(step(all, "b"), "d", true)), "ae");
});

test("a range without a beginning, or from a run that is no longer shown, is one run", () => {
  assert.equal(ids(step(NOTHING_SELECTED, "c", true)), "c");
  assert.equal(ids(step({ ids: new Set(["z"]), anchor: "z" }, "c", true)), "cz");
});

test("abortedText distinguishes ended runs from those that are still stopping, and says why one was refused", () => {
  const ended = { status: "fulfilled", value: undefined } as const;
  const stopping = { status: "fulfilled", value: { state: "CANCELING" } } as const;
  const refused = { status: "rejected", reason: new Error("You may not abort it") } as const;
  assert.equal(abortedText([ended, ended, ended]), "3 runs ended");
  assert.equal(abortedText([stopping]), "1 run is still stopping");
  assert.equal(
    abortedText([ended, stopping, stopping, refused]),
    "1 run ended, 2 are still stopping, 1 could not be aborted: You may not abort it",
  );
  assert.equal(abortedText([refused, refused]), "2 runs could not be aborted: You may not abort it");
});
