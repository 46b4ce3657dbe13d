import type { Job } from "@weft/shared/records/job-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { Link } from "react-router-dom";
import { ownUrl, withQuery } from "../../../api/base-path.ts";
import { useIsPast } from "../../../components/run/use-moment.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { links } from "../../../format/links.ts";
import { isFailed } from "../../../format/state-look.ts";
import { Button } from "../../../ui/button.tsx";
import { DropDown } from "../../../ui/drop-down.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { onDemand } from "../../../ui/on-demand.tsx";

const RetryDialog = onDemand(() => import("./retry-dialog.tsx"));

interface RetryButtonProps {
  readonly run: Run;
  /** The samples to run again. */
  readonly samples?: readonly string[];
}

/** Retries a run with all results that are still valid, after a preview. */
export function RetryButton({ run, samples }: RetryButtonProps) {
  const [asking, setAsking] = useState(false);
  const isPast = useIsPast();
  // Imported runs can be reproduced, not retried.
  if (run.imported !== undefined || isPast) return null;
  return (
    <>
      <Button look={samples === undefined ? "primary" : "plain"} onClick={() => setAsking(true)}>
        <Icon name="retry" /> {samples === undefined ? "Retry" : `Retry ${samplesText(samples)}`}
      </Button>
      {asking && <RetryDialog run={run} samples={samples} onClose={() => setAsking(false)} />}
    </>
  );
}

/** `sub-03`, or the number of samples. */
export function samplesText(samples: readonly string[]): string {
  const [only, second] = samples;
  return only !== undefined && second === undefined ? only : countText(samples.length, "sample");
}

interface DraftFailureLinkProps {
  readonly run: Run;
  /** The failed job; undefined if the run itself failed, without a job. */
  readonly jobId?: string | undefined;
  readonly className?: string;
}

/** For a failed run of a draft: the line that caused the failure. */
export function DraftFailureLink({ run, jobId, className = "btn" }: DraftFailureLinkProps) {
  const hasFailed = jobId !== undefined || isFailed(run.state);
  if (run.draft === undefined || !hasFailed) return null;
  return (
    <Link className={className} to={links.draft(run.draft.draft_id, { run: run.run_id, job: jobId })}>
      Show in the draft
    </Link>
  );
}

/** Downloads a job as a zip in two variants: with data for your own use, or without data to share. */
export function BundleMenu({ job }: { readonly job: Pick<Job, "url"> }) {
  const url = `${ownUrl(job.url)}/bundle`;
  return (
    <DropDown
      button={
        <>
          <Icon name="download" className="size-3.5" /> Debug bundle
          <Icon name="chevronDown" className="size-3.5" />
        </>
      }
    >
      <ul className="card mt-1 w-80 max-w-full space-y-2 p-3 shadow-lg">
        <li>
          <a className="link font-medium" href={withQuery(url, "data", "true")} download>
            With data
          </a>
          <p className="text-soft">Inputs, logs and run.sh, which reruns the job. Contains your data.</p>
        </li>
        <li>
          <a className="link font-medium" href={withQuery(url, "data", "false")} download>
            Safe to share
          </a>
          <p className="text-soft">Tool, exit code, resources and versions. No files, names, paths, values or logs.</p>
        </li>
      </ul>
    </DropDown>
  );
}
