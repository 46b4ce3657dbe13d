import type { NewEvent } from "./journal-event.ts";
import type { Projection } from "./project-job.ts";
import { namedStatement } from "./statements.ts";

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
