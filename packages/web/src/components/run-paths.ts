import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { isWesDocument } from "@weft/shared/records/wes-document-id.ts";

type RunOf = Pick<RunSummary, "run_id" | "network" | "tool">;

/** The page of a run's network or tool, in the version that it used. */
export function processPath({ network, tool }: Omit<RunOf, "run_id">): string {
  const { id = "" } = network ?? tool ?? {};
  if (isWesDocument(id)) return wesDocumentPath(id);
  if (tool !== undefined) return `/tool/${tool.id}${tool.version === null ? "" : `/${tool.version}`}`;
  const version = network?.version ?? null;
  return `/network/${network?.id ?? ""}${version === null ? "" : `?v=${encodeURIComponent(version)}`}`;
}

/** The page of a document that arrived through WES. */
export function wesDocumentPath(digest: string): string {
  return `/server?tab=documents&document=${digest}`;
}

/** True if the process of this run has a form to start it again, which WES documents do not have. */
export function hasForm({ network, tool }: Omit<RunOf, "run_id">): boolean {
  return !isWesDocument((network ?? tool)?.id ?? "");
}

/** The form of the same process, filled with the inputs of this run. */
export function runAgainPath(run: RunOf): string {
  const path = processPath(run);
  return `${path}${path.includes("?") ? "&" : "?"}tab=${run.tool === undefined ? "run" : "try"}&from=${run.run_id}`;
}

/** The form of a network. */
export function runFormPath(network: string): string {
  return `/network/${network}?tab=run`;
}

/** Samples to leave out of the inputs of an earlier run, as navigation state. */
export interface LeftOutSamples {
  readonly leftOut: {
    readonly names: readonly string[];
    /** The samples' positions in the lists of the inputs. */
    readonly indexes: readonly number[];
  };
}

/** Reads the state of a navigation; undefined if this app did not write it. */
export function readLeftOut(state: unknown): LeftOutSamples["leftOut"] | undefined {
  // Each part is checked below; the browser keeps such state across reloads and versions.
  const { names, indexes } = (state as Partial<LeftOutSamples> | null)?.leftOut ?? {};
  const areNames = Array.isArray(names) && names.every((name) => typeof name === "string");
  const areIndexes = Array.isArray(indexes) && indexes.every((index) => typeof index === "number");
  return areNames && areIndexes ? { names, indexes } : undefined;
}

/** A job in the side panel of its run's page. */
export function jobPath(runId: string, jobId: string): string {
  return `/run/${runId}?tab=jobs&job=${encodeURIComponent(jobId)}`;
}

/** The list from which users select a run to compare with this one, initially filtered by network. */
export function comparePath({ run_id, network }: RunOf): string {
  return `/runs?compare=${run_id}${network === undefined ? "" : `&network=${encodeURIComponent(network.id)}`}`;
}

/** Maximum number of runs in a comparison. */
export const MAX_COMPARED_RUNS = 4;

/** Runs side by side, all compared with the first. */
export function comparisonPath(runIds: readonly string[]): string {
  return `/runs?compare=${runIds.join(",")}`;
}

/** The list from which users add a run to a comparison. */
export function addToComparisonPath(runs: readonly RunOf[]): string {
  const network = runs[0]?.network;
  const filter = network === undefined ? "" : `&network=${encodeURIComponent(network.id)}`;
  return `${comparisonPath(runs.map(({ run_id }) => run_id))}&add=1${filter}`;
}
