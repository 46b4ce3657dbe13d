import type { RunSummary } from "@weft/shared/records/run-record.ts";

type RunOf = Pick<RunSummary, "run_id" | "network" | "tool">;

/** The page of the network or tool that a run executes, in the version that it used. */
export function processPath({ network, tool }: Omit<RunOf, "run_id">): string {
  if (tool !== undefined) return `/tool/${tool.id}${tool.version === null ? "" : `/${tool.version}`}`;
  const version = network?.version ?? null;
  return `/network/${network?.id ?? ""}${version === null ? "" : `?v=${encodeURIComponent(version)}`}`;
}

/** The form of the same process, filled with the inputs of this run. */
export function runAgainPath(run: RunOf): string {
  const path = processPath(run);
  return `${path}${path.includes("?") ? "&" : "?"}tab=${run.tool === undefined ? "run" : "try"}&from=${run.run_id}`;
}

/** A job beside the page of its run. */
export function jobPath(runId: string, jobId: string): string {
  return `/run/${runId}?tab=jobs&job=${encodeURIComponent(jobId)}`;
}

/** Where the run to compare this one with is chosen: at first among runs of the same network. */
export function comparePath({ run_id, network }: RunOf): string {
  return `/runs?compare=${run_id}${network === undefined ? "" : `&network=${encodeURIComponent(network.id)}`}`;
}

/** So many runs fit side by side. */
export const MAX_COMPARED_RUNS = 4;

/** Runs side by side, all held against the first. */
export function comparisonPath(runIds: readonly string[]): string {
  return `/runs?compare=${runIds.join(",")}`;
}

/** Where one more run is chosen for them. */
export function addToComparisonPath(runs: readonly RunOf[]): string {
  const network = runs[0]?.network;
  const filter = network === undefined ? "" : `&network=${encodeURIComponent(network.id)}`;
  return `${comparisonPath(runs.map(({ run_id }) => run_id))}&add=1${filter}`;
}

/** The random end of a run id: the part that differs between runs of one minute. */
export function shortRunId(runId: string): string {
  return runId.slice(-12);
}
