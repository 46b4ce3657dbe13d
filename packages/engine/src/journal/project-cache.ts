import type { RecordedCache, ReusableResult } from "@weft/shared/events/job-events.ts";
import type { NewEvent } from "./journal-event.ts";
import type { Statements } from "./statements.ts";

/** Updates the cache decision of a started job: the newest of its element, and the counter of cache hits. */
export function projectDecision(sql: Statements, event: NewEvent, { decision, parts }: RecordedCache): void {
  const runId = event.run_id;
  if (decision === "hit") {
    sql.run("UPDATE runs SET jobs_cached = jobs_cached + 1 WHERE run_id = ?", runId);
    sql.run("UPDATE steps SET jobs_cached = jobs_cached + 1 WHERE run_id = ? AND step = ?", runId, event.step ?? "");
  }
  if (parts === undefined) return;
  sql.run(
    `INSERT OR REPLACE INTO latest_jobs (process_id, kind, step, element, run_id, job_id)
     SELECT process_id, kind, step, coalesce(sample_id, scatter_index), run_id, job_id
     FROM jobs JOIN runs USING (run_id) WHERE run_id = ? AND job_id = ?`,
    runId,
    event.job_id ?? null,
  );
}

/** Keeps the result of an ended job for reuse, or why it cannot be reused. */
export function projectResult(sql: Statements, event: NewEvent, result: ReusableResult | string): void {
  const key = [event.run_id, event.job_id ?? null] as const;
  if (typeof result === "string")
    sql.run("UPDATE jobs SET cache = json_set(cache, '$.not_kept', ?) WHERE run_id = ? AND job_id = ?", result, ...key);
  else
    sql.run(
      "INSERT OR REPLACE INTO reusable (run_id, job_id, key, outputs) VALUES (?,?,?,?)",
      ...key,
      result.key,
      JSON.stringify(result.outputs),
    );
}
