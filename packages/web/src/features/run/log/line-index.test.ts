import assert from "node:assert/strict";
import { test } from "node:test";
import { LineIndex } from "./line-index.ts";

const encoder = new TextEncoder();

function indexOf(text: string, chunkBytes: number): LineIndex {
  const bytes = encoder.encode(text);
  const index = new LineIndex();
  for (let at = 0; at < bytes.length; at += chunkBytes) index.append(bytes.subarray(at, at + chunkBytes));
  return index;
}

test("lines are counted however the log is cut into chunks", () => {
  const cases: [string, number][] = [
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["\n\n", 2],
    ["ä\nö\nü", 3],
  ];
  for (const [text, lines] of cases)
    for (const size of [1, 2, 100]) assert.equal(indexOf(text, size).lines, lines, JSON.stringify(text));
});

test("blocks have no gaps, and each line is in its indexed block", () => {
  const lines = Array.from({ length: 5000 }, (_, n) => `line ${n} ${"x".repeat(n % 300)}`);
  const text = lines.join("\n");
  const bytes = encoder.encode(text);
  const index = indexOf(text, 777);
  let [line, byte] = [0, 0];
  while (line < index.lines) {
    const block = index.blockOf(line);
    assert.deepEqual([block.firstLine, block.from], [line, byte]);
    const own = new TextDecoder().decode(bytes.subarray(block.from, block.to)).replace(/\n$/, "").split("\n");
    assert.deepEqual(own, lines.slice(line, line + block.lines));
    assert.deepEqual(index.blockOf(line + block.lines - 1), block);
    line += block.lines;
    byte = block.to;
  }
  assert.deepEqual([line, byte], [5000, bytes.length]);
});

test("a long line has a separate block, and the last block grows", () => {
  const index = indexOf(`${"x".repeat(400_000)}\nshort`, 65_536);
  assert.deepEqual(index.blockOf(0), { firstLine: 0, lines: 1, from: 0, to: 400_001 });
  assert.deepEqual(index.blockOf(1), { firstLine: 1, lines: 1, from: 400_001, to: 400_006 });
  index.append(encoder.encode("er\nnext"));
  assert.deepEqual(index.blockOf(2), { firstLine: 1, lines: 2, from: 400_001, to: 400_013 });
});

test("a part that begins later keeps the positions of the whole", () => {
  const index = new LineIndex(1000);
  index.append(encoder.encode("a\nb\n"));
  assert.deepEqual([index.lines, index.bytes, index.blockOf(1).from], [2, 1004, 1000]);
});
