import type { JobCounts, JobState, RunState } from "@weft/shared/records/state.ts";
import { RowReader } from "./row-reader.ts";
import type { Statements } from "./statements.ts";

interface Tally {
  state: RunState;
  /** Events since the row was written, and the time of the last one. */
  events: number;
  updatedMs: number;
  readonly counts: Counts;
  readonly steps: Map<string, Counts>;
}

interface Counts {
  readonly jobs: JobCounts;
  isChanged: boolean;
}

interface Move {
  readonly from: JobState | undefined;
  readonly to: JobState;
  readonly jobs: number;
}

/** Number of runs whose counters stay in memory; others are read again. */
const KEPT = 1_000;

/**
 * State and counters of the runs for which events arrive. A job changes four counters several times; they change here
 * and are written once per transaction. There is only one writer, so memory and tables agree.
 */
export class RunTally {
  readonly #sql: Statements;
  readonly #tallies = new Map<string, Tally>();
  readonly #changed = new Set<string>();

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Undefined if no such run is recorded. */
  stateOf(runId: string): RunState | undefined {
    return this.#of(runId)?.state;
  }

  setState(runId: string, state: RunState): void {
    const tally = this.#of(runId);
    if (tally !== undefined) tally.state = state;
  }

  /** Counts one more event of the run. */
  countEvent(runId: string, timeMs: number): void {
    const tally = this.#of(runId);
    if (tally !== undefined) tally.events += 1;
    this.touch(runId, timeMs);
  }

  touch(runId: string, timeMs: number): void {
    const tally = this.#of(runId);
    if (tally === undefined) return;
    tally.updatedMs = timeMs;
    this.#changed.add(runId);
  }

  /** Moves one job between states in the counters of its run and step; `from` is undefined for a new job. */
  moveJob(runId: string, step: string, move: Omit<Move, "jobs">): void {
    this.moveJobs(runId, step, { ...move, jobs: 1 });
  }

  /** Moves several jobs with the same state. */
  moveJobs(runId: string, step: string, move: Move): void {
    const tally = this.#of(runId);
    if (tally === undefined) return;
    moveIn(tally.counts, move);
    const stepCounts = this.#stepOf(tally, runId, step);
    if (stepCounts !== undefined) moveIn(stepCounts, move);
    this.#changed.add(runId);
  }

  /** Writes the changed counters at the end of a transaction. */
  write(): void {
    for (const runId of this.#changed) {
      const tally = this.#tallies.get(runId);
      if (tally !== undefined) this.#writeRun(runId, tally);
    }
    this.#changed.clear();
    if (this.#tallies.size > KEPT) this.#tallies.clear();
  }

  /** Forgets everything after a rollback. */
  forget(): void {
    this.#tallies.clear();
    this.#changed.clear();
  }

  #writeRun(runId: string, tally: Tally): void {
    this.#sql.run(
      "UPDATE runs SET job_counts = ?, revision = revision + ?, updated_ms = ? WHERE run_id = ?",
      JSON.stringify(tally.counts.jobs),
      tally.events,
      tally.updatedMs,
      runId,
    );
    tally.events = 0;
    for (const [step, counts] of tally.steps) {
      if (!counts.isChanged) continue;
      counts.isChanged = false;
      const text = JSON.stringify(counts.jobs);
      this.#sql.run("UPDATE steps SET job_counts = ? WHERE run_id = ? AND step = ?", text, runId, step);
    }
  }

  #of(runId: string): Tally | undefined {
    const known = this.#tallies.get(runId);
    if (known !== undefined) return known;
    const row = this.#sql.get("SELECT state, job_counts FROM runs WHERE run_id = ?", runId);
    if (row === undefined) return undefined;
    const state = row["state"] as RunState; // a column written from values of this type alone
    const counts = parseCounts(row["job_counts"]) ?? this.#countJobs("run_id = ?", runId);
    const tally = { state, events: 0, updatedMs: 0, counts, steps: new Map<string, Counts>() };
    this.#tallies.set(runId, tally);
    return tally;
  }

  #stepOf(tally: Tally, runId: string, step: string): Counts | undefined {
    const known = tally.steps.get(step);
    if (known !== undefined) return known;
    const row = this.#sql.get("SELECT job_counts FROM steps WHERE run_id = ? AND step = ?", runId, step);
    if (row === undefined) return undefined;
    const counts = parseCounts(row["job_counts"]) ?? this.#countJobs("run_id = ? AND step = ?", runId, step);
    tally.steps.set(step, counts);
    return counts;
  }

  #countJobs(condition: string, ...values: readonly string[]): Counts {
    const rows = this.#sql.all(`SELECT state, count(*) AS n FROM jobs WHERE ${condition} GROUP BY state`, ...values);
    return { jobs: Object.fromEntries(rows.map(({ state, n }) => [String(state), Number(n)])), isChanged: true };
  }
}

/** Parses counts; undefined for a damaged column. */
function parseCounts(text: unknown): Counts | undefined {
  const columns = new RowReader({ text });
  const jobs = columns.json<JobCounts>("text", {});
  return columns.damaged.length > 0 ? undefined : { jobs, isChanged: false };
}

function moveIn(counts: Counts, { from, to, jobs: moved }: Move): void {
  counts.isChanged = true;
  const { jobs } = counts;
  if (from !== undefined) {
    const left = (jobs[from] ?? 0) - moved;
    if (left > 0) jobs[from] = left;
    else delete jobs[from];
  }
  jobs[to] = (jobs[to] ?? 0) + moved;
}
