import { Recent } from "../async/recent.ts";
import type { JobMeasure } from "../journal/read-measures.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunRow } from "../journal/rows.ts";

/** The durations of an earlier run. An ended run never changes. */
export interface EarlierRun {
  readonly measures: readonly JobMeasure[];
  /** Number of jobs by step. */
  readonly widths: ReadonlyMap<string, number>;
}

const EARLIER_RUNS = 5;
/** Maximum number of jobs examined in a larger run, spread over it. */
export const MAX_MEASURES = 4000;
/** Number of runs whose measures stay in memory: some megabytes. */
const KEPT_RUNS = 24;

/** Reads the measures of earlier runs, each run once. */
export class RunHistory {
  readonly #read: LogReader;
  readonly #known = new Recent<EarlierRun>(KEPT_RUNS);

  constructor(read: LogReader) {
    this.#read = read;
  }

  /** The latest runs of the process before this one, newest first. `owner`: only this owner's runs exist. */
  before(run: RunRow, owner: string | undefined): readonly EarlierRun[] {
    const { kind, processId, runId: before } = run;
    const ids = this.#read.earlierRuns({ kind, processId, before, owner, limit: EARLIER_RUNS });
    return ids.map((id) => this.#earlier(id));
  }

  #earlier(runId: string): EarlierRun {
    const known = this.#known.get(runId);
    if (known !== undefined) return known;
    const widths = new Map(this.#read.steps(runId).map(({ step, jobsTotal }) => [step, jobsTotal]));
    return this.#known.set(runId, { measures: this.#read.measuresOfRun(runId, MAX_MEASURES), widths });
  }
}
