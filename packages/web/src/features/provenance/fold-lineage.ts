import type { FileOccurrence, LineageFiles, LineageStep, RunLineage } from "@weft/shared/records/lineage-record.ts";
import type { JobCounts } from "@weft/shared/records/state.ts";
import { countText } from "@weft/shared/text/count-text.ts";

/** A node of the graph: the files of a port, the jobs of a step, or all jobs within a folded network. */
export interface FoldedNode {
  readonly id: string;
  readonly kind: "files" | "jobs" | "network";
  /** The step of the jobs or files, or the path of the network; null for inputs of the run. */
  readonly step: string | null;
  /** Port of a file node; "" for jobs. */
  readonly port: string;
  readonly label: string;
  readonly detail: string;
  /** Files or jobs. */
  readonly count: number;
  readonly failed: number;
  /** Outputs of the run that contain the files. */
  readonly outputs: readonly string[];
}

export interface FoldedEdge {
  readonly from: string;
  readonly to: string;
}

export interface FoldedLineage {
  readonly nodes: readonly FoldedNode[];
  readonly edges: readonly FoldedEdge[];
}

/** The id of a node is also part of the page's address. */
export function filesId(step: string | null, port: string): string {
  return step === null ? `input:${port}` : `files:${step}:${port}`;
}

function jobsId(path: string): string {
  return `jobs:${path}`;
}

/**
 * A run as a graph of files and jobs: all jobs of a step are one node, and all files that they wrote to one output. The
 * steps of a nested network are one node until its path is among `open`; files that stay within it are not shown.
 */
export function foldLineage(lineage: RunLineage, open: ReadonlySet<string>): FoldedLineage {
  const { steps, flows } = lineage;
  const groups = Map.groupBy(
    steps.filter(({ job_counts }) => Object.keys(job_counts).length > 0),
    ({ step }) => visiblePath(step, open),
  );
  const edges = new Map<string, FoldedEdge>();
  const join = (from: string, to: string) => void edges.set(`${from}\n${to}`, { from, to });
  const leaving = new Set<string>();
  for (const { from, port, to } of flows) {
    if (port === null) continue;
    const [source, target] = [from, to].map((step) => (step === null ? null : visiblePath(step, open)));
    if (source === target) continue;
    const files = filesId(from, port);
    leaving.add(files);
    if (target !== null && target !== undefined && source !== target) join(files, jobsId(target));
  }
  const outputs = outputsOf(flows);
  const files = lineage.files
    .filter(({ step, port }) => step === null || visiblePath(step, open) === step || leaving.has(filesId(step, port)))
    .map((group) => describeFiles(group, outputs.get(filesId(group.step, group.port)) ?? []));
  for (const { id, step } of files) if (step !== null) join(jobsId(visiblePath(step, open)), id);
  const jobs = [...groups].map(([path, group]) => describeJobs(path, group));
  const ids = new Set([...files, ...jobs].map(({ id }) => id));
  return {
    nodes: [...files, ...jobs],
    edges: [...edges.values()].filter(({ from, to }) => ids.has(from) && ids.has(to)),
  };
}

/** Paths of all networks within the run. */
export function networkPaths({ steps }: Pick<RunLineage, "steps">): ReadonlySet<string> {
  return new Set(
    steps.flatMap(({ step }) => {
      const parts = step.split("/");
      return parts.slice(1).map((_, length) => parts.slice(0, length + 1).join("/"));
    }),
  );
}

/** The longest prefix of the path that has a node: a collapsed network, or the step itself. */
function visiblePath(step: string, open: ReadonlySet<string>): string {
  const parts = step.split("/");
  for (let length = 1; length < parts.length; length += 1) {
    const path = parts.slice(0, length).join("/");
    if (!open.has(path)) return path;
  }
  return step;
}

/** Outputs of the run by the files that they contain. */
function outputsOf(flows: RunLineage["flows"]): ReadonlyMap<string, readonly string[]> {
  const found = flows.flatMap(({ from, port, output }) =>
    port === null || output === null ? [] : [{ id: filesId(from, port), output }],
  );
  const groups = Map.groupBy(found, ({ id }) => id);
  return new Map([...groups].map(([id, group]) => [id, group.map(({ output }) => output)]));
}

function describeFiles({ step, port, files, name }: LineageFiles, outputs: readonly string[]): FoldedNode {
  return {
    id: filesId(step, port),
    kind: "files",
    step,
    port,
    label: files === 1 ? name : port,
    detail: files === 1 ? port : `${countText(files, "file")}, such as ${name}`,
    count: files,
    failed: 0,
    outputs,
  };
}

function describeJobs(path: string, steps: readonly LineageStep[]): FoldedNode {
  const [only] = steps;
  const isStep = only?.step === path;
  const count = (counts: JobCounts) => Object.values(counts).reduce((sum, n) => sum + n, 0);
  return {
    id: jobsId(path),
    kind: isStep ? "jobs" : "network",
    step: path,
    port: "",
    label: (isStep ? only.label : null) ?? (path === "" ? "the tool" : (path.split("/").at(-1) ?? path)),
    detail: isStep ? (only.tool ?? "") : `${countText(steps.length, "step")} within`,
    count: steps.reduce((sum, { job_counts }) => sum + count(job_counts), 0),
    failed: steps.reduce(
      (sum, { job_counts: counts }) => sum + (counts.EXECUTOR_ERROR ?? 0) + (counts.SYSTEM_ERROR ?? 0),
      0,
    ),
    outputs: [],
  };
}

/** A file in all its places: an output of the run, then that of the job which wrote it. */
export type FilePlaces = readonly [FileOccurrence, ...FileOccurrence[]];

/** Joins each published output with the file of its job, if both are listed: to users, they are one file. */
export function foldPublished(files: readonly FileOccurrence[]): readonly FilePlaces[] {
  const written = files.filter(({ job_id: jobId, direction }) => jobId !== null && direction === "output");
  const left = new Set(written);
  const folded = files.map((file): FilePlaces => {
    const own = isOutputOfRun(file) ? written.find((other) => left.has(other) && isSource(other, file)) : undefined;
    if (own !== undefined) left.delete(own);
    return own === undefined ? [file] : [file, own];
  });
  return folded.filter(([file]) => left.has(file) || !written.includes(file));
}

function isOutputOfRun({ job_id: jobId, direction }: FileOccurrence): boolean {
  return jobId === null && direction === "output";
}

/** Without a checksum, as for folders, nothing shows that the contents are equal. */
function isSource(written: FileOccurrence, output: FileOccurrence): boolean {
  const isSame = written.checksum !== null && written.checksum === output.checksum && written.name === output.name;
  return isSame && written.run_id === output.run_id && written.job_id === output.source_job_id;
}
