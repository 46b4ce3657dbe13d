import { REVIEW_VERDICTS } from "@weft/shared/records/review-record.ts";
import type { NewEvent } from "./journal-event.ts";
import type { Projection } from "./project-job.ts";
import { RowReader } from "./row-reader.ts";
import { namedStatement } from "./statements.ts";
import type { Row, Statements } from "./statements.ts";

/** The last review of each sample. */
export const REVIEW_TABLE = `
CREATE TABLE reviews (
  run_id TEXT NOT NULL,
  sample_id TEXT NOT NULL,
  verdict TEXT,
  comment TEXT NOT NULL,
  reviewer TEXT NOT NULL,
  reviewed_ms INTEGER NOT NULL,
  PRIMARY KEY (run_id, sample_id)
) STRICT, WITHOUT ROWID;
`;

const REPLACE_REVIEW = namedStatement(
  `INSERT OR REPLACE INTO reviews (run_id, sample_id, verdict, comment, reviewer, reviewed_ms)
   VALUES (:run_id, :sample_id, :verdict, :comment, :reviewer, :reviewed_ms)`,
);

/** A review without a verdict and a comment removes the earlier one. */
export function projectReviews(
  { run_id, actor, data }: Extract<NewEvent, { type: "run.reviewed" }>,
  { sql, nowMs }: Pick<Projection, "sql" | "nowMs">,
): boolean {
  for (const { sample_id, verdict, comment } of data.reviews)
    if (verdict === null && comment === "")
      sql.run("DELETE FROM reviews WHERE run_id = ? AND sample_id = ?", run_id, sample_id);
    else sql.write(REPLACE_REVIEW, { run_id, sample_id, verdict, comment, reviewer: actor, reviewed_ms: nowMs });
  return true;
}

function toReviewRow(row: Row) {
  const columns = new RowReader(row);
  const verdict = columns.textOrNull("verdict");
  return {
    sampleId: columns.text("sample_id"),
    verdict: REVIEW_VERDICTS.find((known) => known === verdict) ?? null,
    comment: columns.text("comment"),
    reviewer: columns.text("reviewer"),
    reviewedMs: columns.number("reviewed_ms"),
  };
}

/** The last review of a sample. Times in milliseconds since 1970. */
export type ReviewRow = Readonly<ReturnType<typeof toReviewRow>>;

export function readReviews(sql: Statements) {
  return {
    /** Reviews of samples after `after`, by sample. */
    reviewsOf(runId: string, after: string, most: number): readonly ReviewRow[] {
      return sql
        .all("SELECT * FROM reviews WHERE run_id = ? AND sample_id > ? ORDER BY sample_id LIMIT ?", runId, after, most)
        .map(toReviewRow);
    },

    reviewOf(runId: string, sampleId: string): ReviewRow | undefined {
      const row = sql.get("SELECT * FROM reviews WHERE run_id = ? AND sample_id = ?", runId, sampleId);
      return row === undefined ? undefined : toReviewRow(row);
    },

    /** Number of samples that wait for a review; 0 for a run that needs none. */
    samplesToReview(runId: string): number {
      const asked = sql.get(
        "SELECT data ->> '$.samples' AS samples FROM events WHERE run_id = ? AND type = 'run.review-needed' LIMIT 1",
        runId,
      );
      if (asked === undefined) return 0;
      const reviewed = sql.get("SELECT count(*) AS n FROM reviews WHERE run_id = ? AND verdict IS NOT NULL", runId);
      return Math.max(0, Number(asked["samples"]) - Number(reviewed?.["n"] ?? 0));
    },

    /** Number of samples that passed, and that failed. */
    reviewCounts(runId: string): { readonly passed: number; readonly failed: number } {
      const row = sql.get(
        `SELECT count(*) FILTER (WHERE verdict = 'pass') AS passed, count(*) FILTER (WHERE verdict = 'fail') AS failed
           FROM reviews WHERE run_id = ?`,
        runId,
      );
      return { passed: Number(row?.["passed"] ?? 0), failed: Number(row?.["failed"] ?? 0) };
    },

    /** Whether a job of the run worked on the sample. */
    hasSample(runId: string, sampleId: string): boolean {
      return sql.get("SELECT 1 FROM jobs WHERE run_id = ? AND sample_id = ? LIMIT 1", runId, sampleId) !== undefined;
    },
  };
}
