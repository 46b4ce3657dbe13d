import { REVIEW_VERDICTS } from "@weft/shared/records/state-names.ts";
import type { EventOf, LogFeature } from "../journal/log-feature.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { Projection } from "../journal/project-job.ts";
import { RowReader } from "../journal/row-reader.ts";
import { namedStatement, type Row, type Statements } from "../journal/statements.ts";

const TABLE = `
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

/** The last review of each sample. */
export const REVIEWS: LogFeature = {
  tables: TABLE,
  folds: { "run.reviewed": keepReviews },
  samples: (sql) => ({
    fieldsOf: (runId, most) => reviewFields(runId, most, sql),
    waiting: (runId) => samplesToReview(runId, sql),
  }),
};

const REPLACE_REVIEW = namedStatement(
  `INSERT OR REPLACE INTO reviews (run_id, sample_id, verdict, comment, reviewer, reviewed_ms)
   VALUES (:run_id, :sample_id, :verdict, :comment, :reviewer, :reviewed_ms)`,
);

/** A review without a verdict and a comment removes the earlier one. */
function keepReviews({ run_id, actor, data }: EventOf<"run.reviewed">, { sql, nowMs }: Projection): void {
  for (const { sample_id, verdict, comment } of data.reviews)
    if (verdict === null && comment === "")
      sql.run("DELETE FROM reviews WHERE run_id = ? AND sample_id = ?", run_id, sample_id);
    else sql.write(REPLACE_REVIEW, { run_id, sample_id, verdict, comment, reviewer: actor, reviewed_ms: nowMs });
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

export function readReviews({ sql }: Pick<LogReader, "sql">) {
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

/** Number of samples that wait for a review; 0 for a run that needs none. */
function samplesToReview(runId: string, sql: Statements): number {
  const asked = sql.get(
    "SELECT data ->> '$.samples' AS samples FROM events WHERE run_id = ? AND type = 'run.review-needed' LIMIT 1",
    runId,
  );
  if (asked === undefined) return 0;
  const reviewed = sql.get("SELECT count(*) AS n FROM reviews WHERE run_id = ? AND verdict IS NOT NULL", runId);
  return Math.max(0, Number(asked["samples"]) - Number(reviewed?.["n"] ?? 0));
}

/** Reviews as fields of samples. */
function reviewFields(runId: string, most: number, sql: Statements) {
  const fieldsOf = ({ verdict, comment, reviewer }: ReviewRow) =>
    new Map([
      ["verdict", verdict],
      ["comment", comment === "" ? null : comment],
      ["reviewed_by", reviewer],
    ]);
  return new Map(
    readReviews({ sql })
      .reviewsOf(runId, "", most)
      .map((review) => [review.sampleId, fieldsOf(review)]),
  );
}
