import type { LineageFlow, LineageStep, RunLineage } from "@weft/shared/records/lineage-record.ts";
import type { JobCounts } from "@weft/shared/records/state.ts";

/** A node of the graph: the inputs, a step, a folded network, or the outputs. */
export interface FoldedNode {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly jobs: number;
  readonly failed: number;
  /** Path of a network of which this is all that is shown. */
  readonly folded: string | undefined;
  /** Number of the column, from the left. */
  readonly column: number;
  readonly row: number;
}

export interface FoldedLineage {
  readonly nodes: readonly FoldedNode[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly files: number }[];
}

export const INPUTS = "inputs";
export const OUTPUTS = "outputs";

/**
 * The steps of a run as a graph in columns, from what they read to what they wrote. The steps of a nested network are one
 * node until its path is among `open`. Every edge leads to a column further right.
 */
export function foldLineage({ steps, flows }: RunLineage, open: ReadonlySet<string>): FoldedLineage {
  const nodeOf = new Map(steps.map(({ step }) => [step, visiblePath(step, open)]));
  const edges = foldFlows(flows, nodeOf);
  const groups = Map.groupBy(
    steps.filter(({ job_counts }) => Object.keys(job_counts).length > 0),
    ({ step }) => nodeOf.get(step) ?? step,
  );
  const ids = [INPUTS, ...[...groups.keys()].map(stepId), OUTPUTS];
  const columns = placeInColumns(ids, edges);
  const rows = new Map<number, number>();
  const place = (id: string) => {
    const column = columns.get(id) ?? 0;
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    return { id, column, row };
  };
  const nodes = [
    { ...place(INPUTS), ...END, label: "Inputs" },
    ...[...groups].map(([path, group]) => describe(path, group, place(stepId(path)))),
    { ...place(OUTPUTS), ...END, label: "Outputs" },
  ];
  return { nodes, edges: edges.filter(({ from, to }) => columns.has(from) && columns.has(to)) };
}

const END = { detail: "", jobs: 0, failed: 0, folded: undefined };

/** No step is called like an end of the graph. */
function stepId(path: string): string {
  return `step:${path}`;
}

/** The longest beginning of the path that is shown: the network that is not open, or the step itself. */
function visiblePath(step: string, open: ReadonlySet<string>): string {
  const parts = step.split("/");
  for (let length = 1; length < parts.length; length += 1) {
    const path = parts.slice(0, length).join("/");
    if (!open.has(path)) return path;
  }
  return step;
}

/** What passes within a folded network is not shown. */
function foldFlows(flows: readonly LineageFlow[], nodeOf: ReadonlyMap<string, string>): FoldedLineage["edges"] {
  const sums = new Map<string, { from: string; to: string; files: number }>();
  for (const { from, to, files } of flows) {
    const source = from === null ? INPUTS : stepId(nodeOf.get(from) ?? from);
    const target = to === null ? OUTPUTS : stepId(nodeOf.get(to) ?? to);
    if (source === target) continue;
    const known = sums.get(`${source}\n${target}`);
    if (known === undefined) sums.set(`${source}\n${target}`, { from: source, to: target, files });
    else known.files += files;
  }
  return [...sums.values()];
}

/** The longest way from the left; networks that pass files back and forth once folded are cut after as many rounds as there are nodes. */
function placeInColumns(ids: readonly string[], edges: FoldedLineage["edges"]): ReadonlyMap<string, number> {
  const columns = new Map(ids.map((id) => [id, id === INPUTS ? 0 : 1]));
  for (let round = 0; round < ids.length; round += 1)
    for (const { from, to } of edges) {
      const [source, target] = [columns.get(from), columns.get(to)];
      if (source !== undefined && target !== undefined && target <= source && source + 1 < ids.length)
        columns.set(to, source + 1);
    }
  const last = Math.max(...[...columns].filter(([id]) => id !== OUTPUTS).map(([, column]) => column));
  return columns.set(OUTPUTS, last + 1);
}

function describe(
  path: string,
  steps: readonly LineageStep[],
  place: Pick<FoldedNode, "id" | "column" | "row">,
): FoldedNode {
  const [only] = steps;
  const isStep = only?.step === path;
  const count = (counts: JobCounts) => Object.values(counts).reduce((sum, n) => sum + n, 0);
  const failed = steps.reduce(
    (sum, { job_counts: counts }) => sum + (counts.EXECUTOR_ERROR ?? 0) + (counts.SYSTEM_ERROR ?? 0),
    0,
  );
  const name = path === "" ? "the tool" : path;
  return {
    ...place,
    label: (isStep ? only.label : null) ?? name,
    detail: isStep ? (only.tool ?? "") : `${steps.length} ${steps.length === 1 ? "step" : "steps"} within`,
    jobs: steps.reduce((sum, { job_counts }) => sum + count(job_counts), 0),
    failed,
    folded: isStep ? undefined : path,
  };
}
