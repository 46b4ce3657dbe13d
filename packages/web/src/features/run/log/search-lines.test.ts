import assert from "node:assert/strict";
import { test } from "node:test";
import { LineSearch, MAX_MATCHES } from "./search-lines.ts";

test("lines are found regardless of case, colors and chunk boundaries", () => {
  const log = "start\nError: one\nfine\n\x1b[31mer\x1b[1mror\x1b[0m two\nno\nlast error";
  for (const size of [1, 3, 1000]) {
    const search = new LineSearch("ERROR");
    for (let at = 0; at < log.length; at += size) search.push(log.slice(at, at + size));
    search.end();
    assert.deepEqual(search.matches, [1, 3, 5]);
  }
});

test("the number of matches is bounded", () => {
  const search = new LineSearch("x");
  search.push("x\n".repeat(MAX_MATCHES + 5));
  assert.equal(search.matches.length, MAX_MATCHES);
  assert.ok(search.isFull);
});
