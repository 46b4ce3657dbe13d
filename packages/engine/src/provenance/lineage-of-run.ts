import type { Links } from "@weft/shared/links.ts";
import type { LinkedRun, RunLineage } from "@weft/shared/records/lineage-record.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunLinkRow } from "../journal/read-lineage.ts";

export interface LineageRequest {
  readonly runId: string;
  /** Maximum number of runs in each direction. */
  readonly depth: number;
  /** Only this owner's runs are followed and shown; undefined: all. */
  readonly visibleOwner?: string | undefined;
}

/** Maximum number of runs per level; the run before a gap is marked as cut. */
const SHOWN_BESIDE = 20;

/** The steps of a run with the files passed between them, and the runs before and after it. */
export function lineageOfRun(
  { runId, depth, visibleOwner }: LineageRequest,
  read: LogReader,
  links: Links,
): RunLineage {
  const tools = read.toolsOfSteps(runId);
  const steps = read.steps(runId).map(({ step, label, jobCounts }) => ({
    step,
    label,
    tool: tools.get(step) ?? null,
    job_counts: jobCounts,
  }));
  const found = new LinkedRuns(read, { depth, visibleOwner });
  found.follow(runId, -1);
  found.follow(runId, 1);
  return {
    run_id: runId,
    steps,
    flows: read.flows(runId).map((flow) => ({ ...flow })),
    runs: found.present(links),
    links: found.links.map((link) => ({ ...link })),
  };
}

interface Met {
  readonly distance: number;
  isCut: boolean;
}

/** Walks from run to run, each once, breadth first. */
class LinkedRuns {
  readonly #read: LogReader;
  readonly #depth: number;
  readonly #visibleOwner: string | undefined;
  readonly #met = new Map<string, Met>();
  readonly links: RunLinkRow[] = [];

  constructor(read: LogReader, { depth, visibleOwner }: Omit<LineageRequest, "runId">) {
    this.#read = read;
    this.#depth = depth;
    this.#visibleOwner = visibleOwner;
  }

  follow(start: string, way: 1 | -1): void {
    if (!this.#met.has(start)) this.#met.set(start, { distance: 0, isCut: false });
    let front = [start];
    for (let distance = 1; distance <= this.#depth + 1; distance += 1)
      front = front.flatMap((runId) => this.#step(runId, way, distance));
  }

  /** Returns the new runs; beyond the depth, only checks whether there are any. */
  #step(runId: string, way: 1 | -1, distance: number): readonly string[] {
    const isBeyond = distance > this.#depth;
    const limit = isBeyond ? 1 : SHOWN_BESIDE + 1;
    const linked = way < 0 ? this.#read.writersFor(runId, limit) : this.#read.readersOf(runId, limit);
    const found = linked.filter(({ from, to }) => this.#isVisible(way < 0 ? from : to));
    const met = this.#met.get(runId);
    if (met !== undefined && found.length > (isBeyond ? 0 : SHOWN_BESIDE)) met.isCut = true;
    if (isBeyond) return [];
    const shown = found.slice(0, SHOWN_BESIDE);
    this.links.push(...shown);
    const next = shown.map(({ from, to }) => (way < 0 ? from : to)).filter((id) => !this.#met.has(id));
    for (const id of next) this.#met.set(id, { distance: way * distance, isCut: false });
    return next;
  }

  #isVisible(runId: string): boolean {
    return this.#visibleOwner === undefined || this.#read.run(runId, this.#visibleOwner) !== undefined;
  }

  present(links: Links): LinkedRun[] {
    return [...this.#met].flatMap(([runId, { distance, isCut }]) => {
      const row = this.#read.run(runId);
      if (row === undefined) return [];
      const { name, processId: process, state } = row;
      return [{ run_id: runId, run_url: links.run(runId), name, process, state, distance, is_cut: isCut }];
    });
  }
}
