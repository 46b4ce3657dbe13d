import type { DatabaseSync } from "node:sqlite";

/** Columns of a job of the run `r`; one that a test does not give has a value that fits any job. */
type Columns = Readonly<Record<string, string | number | null>>;

/** Adds jobs to the table of jobs, in queue order, without their events. */
export function addJobs(db: DatabaseSync, jobs: readonly Columns[]): void {
  db.exec("BEGIN");
  for (const [n, job] of jobs.entries()) {
    const ids = { run_id: "r", job_id: `j${n}`, n, call_id: `c${n}`, step: "s", scatter_index: "[]", tool: "{}" };
    const row = { ...ids, state: "COMPLETE", phase: "ended", attempt: 1, queued_ms: 0, ...job };
    const names = Object.keys(row);
    db.prepare(`INSERT INTO jobs (${names}) VALUES (${names.map(() => "?")})`).run(...Object.values(row));
  }
  db.exec("COMMIT");
}
