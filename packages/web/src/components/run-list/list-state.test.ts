import assert from "node:assert/strict";
import { test } from "node:test";
import {
  NOTHING_SELECTED,
  abortedText,
  holdNewRuns,
  newestOf,
  readViews,
  select,
  type Selection,
  withView,
} from "./list-state.ts";

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

const runs = ["05", "04", "02"].map((run_id) => ({ run_id }));

test("runs that came since the list was opened are held back and counted", () => {
  assert.deepEqual(holdNewRuns(runs, "03"), { shown: [{ run_id: "02" }], held: 2 });
  assert.deepEqual(holdNewRuns(runs, "05"), { shown: runs, held: 0 });
});

test("a list that was empty shows all new runs", () => {
  assert.deepEqual(holdNewRuns(runs, newestOf([])), { shown: runs, held: 0 });
  assert.equal(newestOf(runs), "05");
});

test("a view is added by name, once, and only up to the maximum", () => {
  const added = [
    [" Mine ", "owner=ann"],
    ["Failed", "state=failed"],
    ["Mine", "owner=bob"],
    ["  ", "q=x"],
  ].reduce<ReturnType<typeof readViews>>(
    (views, [name = "", search = ""]) => withView(views, name, search),
    readViews(null),
  );
  assert.deepEqual(added, [
    { name: "Failed", search: "state=failed" },
    { name: "Mine", search: "owner=bob" },
  ]);
  const names = Array.from({ length: 40 }, (_, n) => `view ${n}`);
  const many = names.reduce((views, name) => withView(views, name, ""), readViews(added));
  assert.equal(many.length, 30);
});

test("ignores entries that no view wrote", () => {
  for (const kept of ["", "{", 5, null, { name: "a" }, [1, null, { name: "a" }, { name: 1, search: "" }]])
    assert.deepEqual(readViews(kept), []);
});
