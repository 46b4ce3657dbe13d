import type { RunSummary } from "@weft/shared/records/run-record.ts";

/** The network or tool of a run, named as its page is. */
export function processName({ network, tool }: Pick<RunSummary, "network" | "tool">): string {
  const process = network ?? tool;
  return [process?.label ?? process?.id, process?.version].filter(Boolean).join(" ");
}
