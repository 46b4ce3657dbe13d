import { useMutation, useQuery } from "@tanstack/react-query";
import type { Job } from "@weft/shared/records/job-record.ts";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type { RetryRun, Run } from "@weft/shared/records/run-record.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { ownUrl, withQuery } from "../../../api/base-path.ts";
import { api } from "../../../api/client.ts";
import { routeQuery } from "../../../api/route-query.ts";
import { useIsPast } from "../../../components/run/use-moment.ts";
import { links } from "../../../format/links.ts";
import { isFailed } from "../../../format/state-look.ts";
import { Button } from "../../../ui/button.tsx";
import ConfirmDialog from "../../../ui/confirm-dialog.tsx";
import { DropDown } from "../../../ui/drop-down.tsx";
import { CheckField } from "../../../ui/field.tsx";
import { Refusal } from "../../../ui/form.tsx";
import { Icon } from "../../../ui/icon.tsx";

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

interface RetryDialogProps {
  readonly run: Run;
  /** The samples to retry; undefined for all. */
  readonly samples: readonly string[] | undefined;
  readonly onClose: () => void;
}

const WHOLE_TEXT =
  "Starts a new run with the same inputs. Valid results are reused; failed steps and everything after them run again.";
const SAMPLES_TEXT = "Runs only these samples. Retry the whole run afterwards to combine all samples.";
const NEVER_CACHED = { staleTime: 0, gcTime: 0, retry: false } as const;

/** Shows which jobs a retry would reuse and run, then starts the retry and opens it. */
function RetryDialog({ run, samples, onClose }: RetryDialogProps) {
  const [newest, setNewest] = useState(false);
  // One dialog starts at most one run, even if responses are lost.
  const [key] = useState(() => crypto.randomUUID());
  const navigate = useNavigate();
  const body: RetryRun = {
    ...(samples === undefined ? {} : { samples: [...samples] }),
    ...(newest ? { version: "newest" } : {}),
  };
  const request = { params: { run_id: run.run_id }, body };
  const plan = useQuery({ ...routeQuery("POST /api/runs/{run_id}/retry-plan", request), ...NEVER_CACHED });
  const retry = useMutation({
    mutationFn: () => {
      const headers = { "idempotency-key": `${key}${newest ? "-newest" : ""}` };
      return api("POST /api/runs/{run_id}/retry", { ...request, headers });
    },
    onSuccess: (started) => "run_id" in started && navigate(`/run/${started.run_id}`),
  });
  return (
    <ConfirmDialog
      title={samples === undefined ? `Retry ${run.name}?` : `Retry only ${samplesText(samples)}?`}
      confirmLabel={retry.isPending ? "Starting…" : "Start retry"}
      harmless
      pending={retry.isPending}
      onConfirm={() => retry.mutate()}
      onClose={onClose}
    >
      <p>{samples === undefined ? WHOLE_TEXT : SAMPLES_TEXT}</p>
      <p className="mt-2 min-h-6" aria-live="polite">
        {plan.data === undefined ? "" : retryForecast(plan.data)}
      </p>
      {run.relations.newest !== null && (
        <CheckField isLong className="mt-3 text-ink" checked={newest} onCheck={setNewest}>
          Use the catalog's current version{versionText(run)}
        </CheckField>
      )}
      <Refusal of={retry.error ?? plan.error} className="mt-3" />
    </ConfirmDialog>
  );
}

function versionText({ relations }: Run): string {
  const version = relations.newest?.version ?? null;
  return version === null ? "" : ` (version ${version})`;
}

type Planned = Pick<Plan, "jobs" | "jobs_shown_of"> & {
  readonly steps: readonly Pick<Plan["steps"][number], "jobs_total_is_final">[];
};

/** The predicted reuse of results: `20 of 22 jobs known so far will be reused, 1 will run, 1 is undecided.` */
export function retryForecast({ jobs, jobs_shown_of: all, steps }: Planned): string {
  const compared = jobs.filter(({ cache }) => cache.decision !== "off");
  if (compared.length === 0) return "Whether jobs reuse earlier results depends on the first results.";
  const hits = compared.filter(({ cache }) => cache.decision === "hit").length;
  const undecided = compared.filter(({ cache }) => cache.decision === "unknown").length;
  const runs = jobs.length - hits - undecided;
  const isWhole = steps.every(({ jobs_total_is_final }) => jobs_total_is_final);
  const known = `${countText(jobs.length, "job")}${isWhole ? "" : " known so far"}`;
  const shown = jobs.length < all ? `the first ${numberText(jobs.length)} jobs` : known;
  return [
    `${numberText(hits)} of ${shown} will be reused`,
    ...(runs === 0 ? [] : [`${numberText(runs)} will run`]),
    ...(undecided === 0 ? [] : [`${numberText(undecided)} ${undecided === 1 ? "is" : "are"} undecided`]),
  ]
    .join(", ")
    .concat(".");
}
