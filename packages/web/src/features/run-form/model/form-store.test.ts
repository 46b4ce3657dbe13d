import assert from "node:assert/strict";
import { test } from "node:test";
import { FormStore } from "./form-store.ts";

test("a change reaches listeners and drops the problems of the old value", () => {
  const store = new FormStore({ images: [{ class: "File", location: "x" }], sigma: 2 });
  let calls = 0;
  const stop = store.subscribe(() => (calls += 1));
  store.setProblems([
    { pointer: "/images/0/location", message: "nothing is there" },
    { pointer: "/sigma", message: "too large" },
  ]);
  store.set(["images", 0], { class: "File", location: "y" });
  assert.deepEqual(store.problems(), [{ pointer: "/sigma", message: "too large" }]);
  assert.deepEqual(store.get(["images", 0, "location"]), "y");
  assert.equal(calls, 2);
  stop();
  store.replaceValues({ sigma: 1 });
  assert.equal(calls, 2);
  assert.deepEqual(store.values(), { sigma: 1 });
  assert.deepEqual(store.problems(), []);
});
