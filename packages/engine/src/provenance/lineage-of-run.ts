import type { Links } from "@weft/shared/links.ts";
import type { LinkedRun, RunLineage } from "@weft/shared/records/lineage-record.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunLinkRow } from "../journal/read-lineage.ts";
import { timeText } from "../present/present-time.ts";

export interface LineageRequest {
  readonly runId: string;
  /** Maximum number of runs in each direction. */
  readonly depth: number;
  /** The sample whose jobs are shown, together with jobs that all samples share; undefined for all samples. */
  readonly sample?: string | undefined;
  /** The owner whose runs are followed and shown; undefined for all. */
  readonly visibleOwner?: string | undefined;
}

/** Maximum number of runs per level; the run before a gap is marked as cut. */
const SHOWN_BESIDE = 20;
/** Maximum number of runs in one direction. */
const SHOWN_BEFORE_OR_AFTER = 100;

/** The steps of a run with the files passed between them, and the runs before and after it. */
export function lineageOfRun(
  { runId, depth, sample, visibleOwner }: LineageRequest,
  read: LogReader,
  links: Links,
): RunLineage {
  const tools = read.toolsOfSteps(runId);
  const jobs = read.jobsOfSteps(runId, sample);
  const steps = read.steps(runId).map(({ step, label }) => ({
    step,
    label,
    tool: tools.get(step) ?? null,
    job_counts: jobs.get(step)?.counts ?? {},
    job_id: jobs.get(step)?.onlyJob ?? null,
  }));
  const found = new LinkedRuns(read, { depth, visibleOwner });
  found.follow(runId, -1);
  found.follow(runId, 1);
  return {
    run_id: runId,
    steps,
    files: [...read.filesOfPorts(runId, sample)],
    flows: read.flows(runId, sample).map((flow) => ({ ...flow })),
    runs: found.present(links),
    links: found.links.map((link) => ({ ...link })),
  };
}

interface Met {
  readonly distance: number;
  readonly by: RunLinkRow["by"];
  isCut: boolean;
}

/** Walks from run to run, each once, breadth first; stops at runs that only have files with the same content. */
class LinkedRuns {
  readonly #read: LogReader;
  readonly #depth: number;
  readonly #visibleOwner: string | undefined;
  readonly #met = new Map<string, Met>();
  #left = 0;
  readonly links: RunLinkRow[] = [];

  constructor(read: LogReader, { depth, visibleOwner }: Pick<LineageRequest, "depth" | "visibleOwner">) {
    this.#read = read;
    this.#depth = depth;
    this.#visibleOwner = visibleOwner;
  }

  follow(start: string, way: 1 | -1): void {
    if (!this.#met.has(start)) this.#met.set(start, { distance: 0, by: "location", isCut: false });
    this.#left = SHOWN_BEFORE_OR_AFTER;
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
    if (met !== undefined && isBeyond && found.length > 0) met.isCut = true;
    if (isBeyond) return [];
    const shown = found.slice(0, Math.min(SHOWN_BESIDE, this.#left));
    if (met !== undefined && shown.length < found.length) met.isCut = true;
    this.links.push(...shown);
    return shown.flatMap(({ from, to, by }) => this.#meet(way < 0 ? from : to, { distance: way * distance, by }));
  }

  /** Returns the run if its lineage is still to be followed. */
  #meet(runId: string, { distance, by }: Omit<Met, "isCut">): readonly string[] {
    const known = this.#met.get(runId);
    if (known?.by === "location" || known?.by === by) return [];
    if (known === undefined) this.#left -= 1;
    this.#met.set(runId, { distance, by, isCut: false });
    return by === "location" ? [runId] : [];
  }

  #isVisible(runId: string): boolean {
    return this.#visibleOwner === undefined || this.#read.run(runId, this.#visibleOwner) !== undefined;
  }

  present(links: Links): LinkedRun[] {
    return [...this.#met].flatMap(([runId, { distance, by, isCut }]) => {
      const row = this.#read.run(runId);
      if (row === undefined) return [];
      const { name, processId: process, state } = row;
      const created_at = timeText(row.createdMs);
      const place = { distance, by, is_cut: isCut };
      return [{ run_id: runId, run_url: links.run(runId), name, process, state, created_at, ...place }];
    });
  }
}
