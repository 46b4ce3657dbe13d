import assert from "node:assert/strict";
import { test } from "node:test";
import { countText } from "./count-text.ts";

test("countText uses the singular and the plural", () => {
  assert.deepEqual(
    [0, 1, 2, 12_345].map((count) => countText(count, "run")),
    ["0 runs", "1 run", "2 runs", "12,345 runs"],
  );
});
