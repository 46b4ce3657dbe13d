import assert from "node:assert/strict";
import { test } from "node:test";
import { KeyboardRegistry } from "./keyboard-registry.ts";

test("the component that registered a shortcut last has it until it unmounts", () => {
  const registry = new KeyboardRegistry();
  const done: string[] = [];
  const removeFirst = registry.addShortcuts({ search: () => done.push("first"), run: () => done.push("run") });
  const removeSecond = registry.addShortcuts({ search: () => done.push("second") });
  registry.action("search")?.();
  removeSecond();
  registry.action("search")?.();
  assert.deepEqual(done, ["second", "first"]);
  const ids = registry.active().map(({ id }) => id);
  assert.deepEqual(ids, ["search", "run"]);
  removeFirst();
  assert.deepEqual(registry.active(), []);
  assert.equal(registry.action("search"), undefined);
});

test("listeners are notified of every change", () => {
  const registry = new KeyboardRegistry();
  let heard = 0;
  const stop = registry.subscribe(() => (heard += 1));
  const remove = registry.addActions([{ label: "Copy ID", act: () => undefined }]);
  const labels = registry.pageActions().map(({ label }) => label);
  assert.deepEqual(labels, ["Copy ID"]);
  remove();
  assert.deepEqual([heard, registry.version(), registry.pageActions()], [2, 2, []]);
  stop();
});
