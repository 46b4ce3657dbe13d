import assert from "node:assert/strict";
import { it } from "node:test";
import { compareVersions } from "./catalog.ts";

const orders: string[][] = [
  ["0.9.0", "0.10.0", "1.0.0-rc.1", "1.0.0", "2.0.0"],
  ["0.9", "0.10", "1", "2", "10"],
  ["2024-01", "2024-02", "2024-10"],
  ["a", "b", "b2", "b10"],
];
for (const ordered of orders) {
  it(`sorts ${ordered.join(" < ")}`, () => assert.deepEqual(ordered.toReversed().sort(compareVersions), ordered));
}
