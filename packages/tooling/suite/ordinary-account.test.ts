import assert from "node:assert/strict";
import { test } from "node:test";
import { skippedByAll } from "./ordinary-account.ts";

test("a test that one of two accounts ran was not skipped", () => {
  const part = (...names: readonly string[]) => ({
    passed: 1,
    failed: 0,
    skipped: names.map((name) => ({ name, reason: "needs b" })),
  });
  const results = [
    part("once.test.ts: first"),
    part("twice.test.ts: as root", "twice.test.ts: never"),
    part("twice.test.ts: as nobody", "twice.test.ts: never"),
  ];
  const names = skippedByAll(results, new Set(["twice.test.ts"])).map(({ name }) => name);
  assert.deepEqual(names, ["once.test.ts: first", "twice.test.ts: never", "twice.test.ts: never"]);
});
