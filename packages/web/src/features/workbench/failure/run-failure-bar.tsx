import { useQuery } from "@tanstack/react-query";
import type { Job } from "@weft/shared/records/job-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useMemo } from "react";
import { Link } from "react-router-dom";
import { jobQuery } from "../../../api/queries/job-queries.ts";
import { runQuery } from "../../../api/queries/run-queries.ts";
import { links } from "../../../format/links.ts";
import { sentence } from "../../../format/sentence.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { LocatedProblem } from "../language/document-language.ts";

interface RunFailureBarProps {
  readonly failure: RunFailure;
  /** The place in the text; undefined if the text cannot be the cause. */
  readonly located: LocatedProblem | undefined;
  /** The displayed revision of the text. */
  readonly revision: number;
  readonly onShow: (offset: number) => void;
  readonly onDismiss: () => void;
}

/** Shows why a run of this draft failed, and the line that caused it. */
export function RunFailureBar({ failure, located, revision, onShow, onDismiss }: RunFailureBarProps) {
  const { runId, runName, jobId, step, message, hint } = failure;
  return (
    <section
      aria-label="Failure of a run"
      className="max-h-44 space-y-1 overflow-y-auto border-t border-failed/50 bg-failed-soft px-3 py-2 text-compact"
    >
      <p className="wrap-anywhere">
        <Icon name="error" className="mr-1 inline size-3.5 text-failed" />
        <strong>{step === "" ? "The run" : step} failed.</strong> {sentence(message)} {sentence(hint ?? "")}
      </p>
      {located?.elsewhere !== undefined && (
        <p className="wrap-anywhere">
          The cause is in <span className="code">{located.elsewhere}</span>, which this step runs.
        </p>
      )}
      {revision !== failure.revision && <p className="text-soft">The text has changed since that run.</p>}
      <div className="flex flex-wrap items-center gap-2">
        {located !== undefined && (
          <Button small onClick={() => onShow(located.from)}>
            Show line {located.line}
          </Button>
        )}
        <Link className="btn btn-small" to={links.run(runId, jobId === undefined ? {} : { tab: "jobs", job: jobId })}>
          {jobId === undefined ? "View run" : "View job"}
          <span className="sr-only"> of {runName}</span>
        </Link>
        <Button look="quiet" small onClick={onDismiss}>
          Dismiss
        </Button>
      </div>
    </section>
  );
}

/** The reason why a run of a draft failed. */
export interface RunFailure {
  readonly runId: string;
  readonly runName: string;
  readonly jobId: string | undefined;
  /** Revision of the draft that ran. */
  readonly revision: number;
  /** Path of the step, "" for a tool. */
  readonly step: string;
  readonly code: string;
  readonly place: string | undefined;
  readonly message: string;
  readonly hint: string | undefined;
}

/** The failure in the URL of the page; undefined if there is none, or if it belongs to another draft. */
export function useRunFailure(draftId: string, runId: string, jobId: string): RunFailure | undefined {
  const run = useQuery({ ...runQuery(runId), enabled: runId !== "" });
  const job = useQuery({ ...jobQuery(runId, jobId), enabled: runId !== "" && jobId !== "" });
  const [ofRun, ofJob] = [run.data, jobId === "" ? undefined : job.data];
  return useMemo(
    () => (ofRun?.draft?.draft_id === draftId ? failureOf(ofRun, ofJob) : undefined),
    [draftId, ofRun, ofJob],
  );
}

function failureOf(run: Run, job: Job | undefined): RunFailure | undefined {
  const reason = job?.state_reason ?? run.state_reason;
  if (reason === null || run.draft === undefined) return undefined;
  const { code, message, hint, place } = reason;
  return {
    runId: run.run_id,
    runName: run.name,
    jobId: job?.job_id,
    revision: run.draft.revision,
    step: job?.step ?? "",
    ...{ code, place, message, hint },
  };
}
