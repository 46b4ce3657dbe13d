import assert from "node:assert/strict";
import { test } from "node:test";
import { formatBytes } from "./format-bytes.ts";

test("formatBytes", () => {
  const cases: [number, string][] = [
    [0, "0 B"],
    [1023, "1023 B"],
    [1024, "1.0 KiB"],
    [1536, "1.5 KiB"],
    [10_240, "10 KiB"],
    [1_048_575, "1.0 MiB"],
    [5 * 1024 ** 3, "5.0 GiB"],
  ];
  for (const [bytes, text] of cases) assert.equal(formatBytes(bytes), text);
});
