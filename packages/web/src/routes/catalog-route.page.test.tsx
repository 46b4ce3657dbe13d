import type { NetworkSummary } from "@weft/shared/records/process-record.ts";
import { expect, test } from "vitest";
import { sortNetworks } from "./catalog-route.tsx";

const network = (id: string, runs: number, last_run_at: string | null) =>
  // Only the fields that determine the order.
  ({ id, stats: { runs, last_run_at, median_duration_ms: null } }) as NetworkSummary;

const networks = [
  network("c", 1, "2026-01-03T00:00:00.000Z"),
  network("b", 0, null),
  network("a", 9, "2026-01-02T00:00:00.000Z"),
  network("d", 0, null),
];

for (const [sort, order] of [
  ["", "abcd"],
  ["nonsense", "abcd"],
  ["last", "cabd"],
  ["runs", "acbd"],
] as const)
  test(`networks sorted by "${sort}"`, () => {
    expect(
      sortNetworks(networks, sort)
        .map(({ id }) => id)
        .join(""),
    ).toBe(order);
  });
