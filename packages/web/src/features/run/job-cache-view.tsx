import type { JobCache } from "@weft/shared/records/job-record.ts";
import { Link } from "react-router-dom";
import { jobPath } from "../../components/run-paths.ts";
import { cacheReason } from "../../format/cache-reason.ts";
import { sentence } from "../../format/sentence.ts";

/** Whether a job reused an earlier result, or why it ran. */
export function JobCacheView({ cache }: { readonly cache: JobCache }) {
  return (
    <div className="space-y-1.5 wrap-anywhere">
      <p>
        <span className="font-semibold">{HEADS[cache.decision]}</span>{" "}
        {cache.diff.length === 0 && sentence(cacheReason(cache))}
      </p>
      {cache.diff.length > 0 && (
        <ul className="list-disc pl-5">
          {cache.diff.map(({ component, name, message }) => (
            <li key={`${component} ${name ?? ""}`}>{sentence(message)}</li>
          ))}
        </ul>
      )}
      {cache.job !== undefined && (
        <p>
          <Link className="link" to={jobPath(cache.job.run_id, cache.job.job_id)}>
            {cache.decision === "hit" ? "View original job" : "Compare with previous job"}
          </Link>
        </p>
      )}
      {cache.not_kept !== undefined && (
        <p className="text-canceled">{sentence(`this result can't be reused: ${cache.not_kept}`)}</p>
      )}
    </div>
  );
}

const HEADS = {
  hit: "Reused from an earlier run.",
  miss: "Not cached.",
  off: "Cache not used.",
} as const;
