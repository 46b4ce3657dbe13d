import type { ProcessKind } from "@weft/shared/records/draft-record.ts";
import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { isWesDocument } from "@weft/shared/records/wes-document-id.ts";

type Query<Name extends string> = { readonly [Key in Name]?: string | null | undefined };

/** The views of a run that links lead to. */
export type RunView = "info" | "jobs" | "logs" | "outputs" | "prov" | "table";
type RunQuery = Query<"at" | "job" | "open" | "output" | "q" | "sample" | "state" | "step"> & {
  readonly tab?: RunView;
};
type ProcessQuery = Query<"from" | "query" | "step" | "tab">;

/** A tool or network; the newest if it has no version. */
type Process = Query<"version"> & { readonly id: string };
type RunOf = Pick<RunSummary, "run_id" | "network" | "tool">;

/** Maximum number of runs in a comparison. */
export const MAX_COMPARED_RUNS = 4;

/** Addresses of pages with parameters or versions. Only this module encodes them and leaves out those without a value. */
export const links = {
  run: (runId: string, query: RunQuery = {}) => address(["run", runId], query),
  /** Another view of the run whose page contains the link. */
  view: (query: RunQuery) => search(query),
  runs: (query: Query<"archived" | "owner" | "q" | "tag">) => address(["runs"], query),
  /** Runs side by side, all compared with the first. */
  comparison: (runIds: readonly string[]) => address(["runs"], { compare: runIds.join(",") }),
  /** The list from which users add a run to a comparison, initially filtered by network. */
  addToComparison: (runs: readonly Omit<RunOf, "tool">[]) =>
    address(["runs"], { compare: runs.map((run) => run.run_id).join(","), add: "1", network: runs[0]?.network?.id }),
  network: ({ id, version }: Process, query: ProcessQuery = {}) => address(["network", id], { v: version, ...query }),
  tool: ({ id, version }: Process, query: ProcessQuery = {}) => address(["tool", id, version], query),
  process: ({ kind, ...process }: Process & { readonly kind: ProcessKind }) => links[kind](process),
  /** The page of a run's network or tool, in the version that it used. */
  processOf: ({ network, tool }: Omit<RunOf, "run_id">, query: ProcessQuery = {}) => {
    const process = network ?? tool ?? { id: "" };
    if (isWesDocument(process.id)) return links.wesDocument(process.id);
    return tool === undefined ? links.network(process, query) : links.tool(process, query);
  },
  /** The form of a run's process, filled with the inputs of the run. */
  runAgain: (run: RunOf) => links.processOf(run, { tab: run.tool === undefined ? "run" : "try", from: run.run_id }),
  editNetwork: ({ id, version }: Process) => address(["network", id, "edit"], { v: version }),
  editTool: ({ id, version }: Process) => address(["tool", id, version, "edit"]),
  newNetwork: (query: Query<"after" | "run" | "step">) => address(["networks", "new"], query),
  newTool: (query: Query<"job" | "run">) => address(["tools", "new"], query),
  draft: (draftId: string, query: Query<"after" | "job" | "run"> = {}) => address(["drafts", draftId], query),
  upgrades: (query: Query<"id" | "kind" | "version">) => address(["upgrades"], query),
  datasets: (query: Query<"network">) => address(["datasets"], query),
  /** `network`: whose inputs a query should fill. */
  dataset: ({ location, pattern }: Query<"location" | "pattern">, query: Query<"network" | "query">) =>
    address(["dataset"], { location, pattern, ...query }),
  files: (query: Query<"checksum" | "q" | "run">) => address(["prov"], query),
  /** The files of an output in the graph of a run; `sample`: those of this sample. */
  originOf: ({ run, output, sample }: { run: string; output: string; sample: string | null }) =>
    address(["prov"], { run, part: `output:${output}`, sample }),
  /** A document that arrived through WES. */
  wesDocument: (digest: string) => address(["server"], { tab: "documents", document: digest }),
};

/** True if the process of this run has a form to start it again, which WES documents do not have. */
export function hasForm({ network, tool }: Omit<RunOf, "run_id">): boolean {
  return !isWesDocument((network ?? tool)?.id ?? "");
}

function address(path: readonly (string | null | undefined)[], query: Query<string> = {}): string {
  return `/${path.filter(isFilled).map(encodeURIComponent).join("/")}${search(query)}`;
}

function search(query: Query<string>): string {
  const filled = Object.entries(query).flatMap(([name, value]) => (isFilled(value) ? [[name, value]] : []));
  return filled.length === 0 ? "" : `?${new URLSearchParams(filled).toString()}`;
}

function isFilled(value: string | null | undefined): value is string {
  return value !== undefined && value !== null && value !== "";
}
