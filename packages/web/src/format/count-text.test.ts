import assert from "node:assert/strict";
import { test } from "node:test";
import { countText } from "./count-text.ts";

test("countText", () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => countText(count, "run")),
    ["0 runs", "1 run", "2 runs"],
  );
});
