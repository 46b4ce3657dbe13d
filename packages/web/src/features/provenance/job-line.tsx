import { shellLine } from "@weft/shared/records/shell-line.ts";
import type { Job } from "@weft/shared/records/job-record.ts";
import { Link } from "react-router-dom";
import { CodeBlock } from "../../ui/code-block.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";

/** A job in short: state, name, step, sample, tool and command line. */
export function JobLine({ job }: { readonly job: Job }) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateBadge state={job.state} />
        <Link className="link font-medium" to={`/run/${job.run_id}?tab=jobs&job=${job.job_id}`}>
          {job.job_id}
        </Link>
        {job.step !== "" && <span>step {job.step}</span>}
        {job.sample_id !== null && <span>sample {job.sample_id}</span>}
        {job.tool.id !== null && (
          <Link className="link" to={`/tool/${job.tool.id}${job.tool.version === null ? "" : `/${job.tool.version}`}`}>
            {job.tool.id} {job.tool.version}
          </Link>
        )}
      </p>
      {job.command !== undefined && job.command !== null && (
        <div className="mt-1.5">
          <CodeBlock label={`Command line of ${job.job_id}`} text={shellLine(job.command)} wrap maxHeight="9rem" />
        </div>
      )}
    </>
  );
}
