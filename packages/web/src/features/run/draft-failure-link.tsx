import type { Run } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { isFailed } from "../../format/state-look.ts";

interface DraftFailureLinkProps {
  readonly run: Run;
  /** Absent: the run itself failed, without a job. */
  readonly jobId?: string | undefined;
  readonly className?: string;
}

/** For a failed run of a draft: the line that caused the failure. */
export function DraftFailureLink({ run, jobId, className = "btn" }: DraftFailureLinkProps) {
  const hasFailed = jobId !== undefined || isFailed(run.state);
  if (run.draft === undefined || !hasFailed) return null;
  const job = jobId === undefined ? "" : `&job=${jobId}`;
  return (
    <Link className={className} to={`/drafts/${run.draft.draft_id}?run=${run.run_id}${job}`}>
      Show in the draft
    </Link>
  );
}
