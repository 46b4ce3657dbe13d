import assert from "node:assert/strict";
import { test } from "node:test";
import { diffLines } from "./diff-lines.ts";
import { foldSameLines } from "./fold-same-lines.ts";

test("equal lines further than three from a change are counted instead", () => {
  const before = Array.from({ length: 20 }, (_, n) => `line ${n}`);
  const after = before.with(10, "another");
  const shown = foldSameLines(diffLines(before, after) ?? assert.fail());
  assert.deepEqual(
    shown.map((line) => (line.kind === "folded" ? line.count : line.kind)),
    [7, "same", "same", "same", "removed", "added", "same", "same", "same", 6],
  );
});

test("texts that are the same are one fold", () => {
  assert.deepEqual(foldSameLines(diffLines(["a", "b"], ["a", "b"]) ?? assert.fail()), [{ kind: "folded", count: 2 }]);
});
