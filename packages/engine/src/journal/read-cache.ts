import { jobRowReader, type JobRow } from "./rows.ts";
import type { Statements } from "./statements.ts";

/** One element of one step of a network or tool, whatever run it belongs to. */
export interface JobPosition {
  readonly kind: "network" | "tool";
  readonly processId: string;
  readonly step: string;
  readonly sampleId: string | undefined;
  readonly scatterIndex: readonly number[];
}

/** A job with a reusable result, and the content of each of its outputs. */
export interface ReusableJob {
  readonly row: JobRow;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Queries about results of earlier jobs. */
export function readCache(sql: Statements) {
  const jobOf = jobRowReader(sql);
  return {
    /**
     * Successful jobs with this key, those of the newest runs first, at most `limit`; with an owner, only from that
     * owner's runs.
     */
    reusableJobs(key: string, limit: number, owner?: string): readonly ReusableJob[] {
      return sql
        .all(
          `SELECT jobs.*, reusable.outputs AS contents FROM reusable JOIN jobs USING (run_id, job_id) JOIN runs USING (run_id)
           WHERE reusable.key = ? AND runs.owner = coalesce(?, runs.owner) ORDER BY reusable.run_id DESC LIMIT ?`,
          key,
          owner ?? null,
          limit,
        )
        .map((row) => ({ row: jobOf(row), outputs: JSON.parse(String(row["contents"])) as ReusableJob["outputs"] })); // Weft wrote it
    },

    /** The last job started for this element; with an owner, undefined if it belongs to another owner's run. */
    latestJob({ kind, processId, step, sampleId, scatterIndex }: JobPosition, owner?: string): JobRow | undefined {
      return sql.find(
        jobOf,
        `SELECT jobs.* FROM latest_jobs JOIN jobs USING (run_id, job_id) JOIN runs USING (run_id)
         WHERE latest_jobs.process_id = ? AND latest_jobs.kind = ? AND latest_jobs.step = ? AND latest_jobs.element = ?
         AND runs.owner = coalesce(?, runs.owner)`,
        processId,
        kind,
        step,
        sampleId ?? JSON.stringify(scatterIndex),
        owner ?? null,
      );
    },
  };
}
