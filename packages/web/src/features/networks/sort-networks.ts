import type { NetworkSummary } from "@weft/shared/records/process-record.ts";

export const NETWORK_SORTS = [
  { id: "", label: "Name" },
  { id: "last", label: "Last run" },
  { id: "runs", label: "Most runs" },
] as const;

/** Networks in the order `?sort=`: most recently or most often used first; by name for any other value. */
export function sortNetworks(networks: readonly NetworkSummary[], sort: string): readonly NetworkSummary[] {
  const byName = networks.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (sort === "last") return byName.toSorted((a, b) => compare(b.stats.last_run_at ?? "", a.stats.last_run_at ?? ""));
  if (sort === "runs") return byName.toSorted((a, b) => b.stats.runs - a.stats.runs);
  return byName;
}

/** UTC timestamps sort as strings. */
function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
