import { graphNodePath } from "@weft/shared/drawing/graph-node-path.ts";
import type { GraphNodeRecord, GraphRecord } from "@weft/shared/records/process-record.ts";
import type { StepCounts } from "@weft/shared/records/run-record.ts";
import type { JobCounts, RunState } from "@weft/shared/records/state.ts";
import { FAILED_STATES, JOB_STATE_ORDER, countIn } from "../../format/state-look.ts";

/** Progress of a step, or of all steps of a nested network. */
export interface StepProgress {
  readonly state: RunState;
  readonly counts: JobCounts;
  readonly done: number;
  readonly total: number;
  /** The largest number of jobs of any step: how often a scattered network runs. */
  readonly widest: number;
  readonly totalIsFinal: boolean;
  /** Jobs that reused an earlier result. */
  readonly cached: number;
}

/** The progress of each step by its path, computed once per step. */
export function progressIndex(stepCounts: readonly StepCounts[]): (step: string) => StepProgress | undefined {
  const inside = new Map<string, StepCounts[]>();
  for (const entry of stepCounts)
    for (let path = entry.step; ; path = path.slice(0, path.lastIndexOf("/"))) {
      const list = inside.get(path);
      if (list === undefined) inside.set(path, [entry]);
      else list.push(entry);
      if (!path.includes("/")) break;
    }
  const known = new Map<string, StepProgress | undefined>();
  return (step) => {
    if (!known.has(step)) known.set(step, stepProgress(inside.get(step) ?? [], step));
    return known.get(step);
  };
}

/** Sums the counts of a step and of the steps inside it; undefined if the run has no such step. */
export function stepProgress(stepCounts: readonly StepCounts[], step: string): StepProgress | undefined {
  const parts = stepCounts.filter((entry) => entry.step === step || entry.step.startsWith(`${step}/`));
  if (parts.length === 0) return undefined;
  const counts: JobCounts = {};
  for (const part of parts) for (const state of JOB_STATE_ORDER) addTo(counts, state, part.job_counts[state] ?? 0);
  const total = parts.reduce((sum, part) => sum + part.jobs_total, 0);
  const done = finalCount(counts);
  return {
    state: stateOf(counts, done >= total && total > 0),
    counts,
    done,
    total,
    widest: Math.max(...parts.map((part) => part.jobs_total)),
    totalIsFinal: parts.every((part) => part.jobs_total_is_final),
    cached: parts.reduce((sum, part) => sum + part.jobs_cached, 0),
  };
}

function addTo(counts: JobCounts, state: (typeof JOB_STATE_ORDER)[number], more: number): void {
  if (more > 0) counts[state] = (counts[state] ?? 0) + more;
}

function finalCount(counts: JobCounts): number {
  return countIn(counts, ["COMPLETE", "CANCELED", ...FAILED_STATES]);
}

/** The worst final state of the step's jobs, else their current state. */
function stateOf(counts: JobCounts, allDone: boolean): RunState {
  const worst = FAILED_STATES.find((state) => (counts[state] ?? 0) > 0);
  if (worst !== undefined) return worst;
  if (allDone) return (counts.CANCELED ?? 0) > 0 ? "CANCELED" : "COMPLETE";
  const active = (["CANCELING", "RUNNING", "INITIALIZING"] as const).find((state) => (counts[state] ?? 0) > 0);
  if (active !== undefined) return active;
  if ((counts.CANCELED ?? 0) > 0) return "CANCELED";
  return (counts.COMPLETE ?? 0) > 0 ? "RUNNING" : "QUEUED";
}

/** A line of the tree of steps. */
export interface StepLine {
  readonly node: GraphNodeRecord;
  readonly path: string;
  /** 1 for steps of the network itself. */
  readonly level: number;
  /** Position among the steps of the network, from 1, and their number. */
  readonly place: number;
  readonly count: number;
}

/**
 * All steps, nested ones below the step that contains them; with `q`, only those whose name, process name or path
 * contains it.
 */
export function flattenSteps(graph: GraphRecord, q: string): readonly StepLine[] {
  const asked = q.trim().toLowerCase();
  const all = linesOf(graph, { prefix: "", level: 1 });
  if (asked === "") return all;
  const found = all.filter(({ node, path }) =>
    `${node.label}\n${node.process_label ?? ""}\n${path}`.toLowerCase().includes(asked),
  );
  return found.map((line, place) => ({
    node: line.node,
    path: line.path,
    level: 1,
    place: place + 1,
    count: found.length,
  }));
}

interface Level {
  readonly prefix: string;
  readonly level: number;
}

function linesOf(graph: GraphRecord, { prefix, level }: Level): readonly StepLine[] {
  const steps = graph.nodes.filter(({ kind }) => kind === "step");
  const lines: StepLine[] = [];
  for (const [place, node] of steps.entries()) {
    const path = graphNodePath(node, prefix);
    lines.push({ node, path, level, place: place + 1, count: steps.length });
    if (node.graph !== undefined) lines.push(...linesOf(node.graph, { prefix: `${path}/`, level: level + 1 }));
  }
  return lines;
}
