import { useQuery } from "@tanstack/react-query";
import type { Job } from "@weft/shared/records/job-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useMemo } from "react";
import { jobQuery } from "../../../api/job-queries.ts";
import { runQuery } from "../../../api/run-queries.ts";

/** Why a run of a draft failed. */
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

/** The failure that the address of the page names; undefined if there is none, or if it is of another draft. */
export function useRunFailure(draftId: string, runId: string, jobId: string): RunFailure | undefined {
  const run = useQuery({ ...runQuery(runId), enabled: runId !== "" });
  const job = useQuery({ ...jobQuery(runId, jobId), enabled: runId !== "" && jobId !== "" });
  const [ofRun, ofJob] = [run.data, jobId === "" ? undefined : job.data];
  return useMemo(
    () => (ofRun?.draft?.draft_id === draftId ? failureOf(ofRun, ofJob) : undefined),
    [draftId, ofRun, ofJob],
  );
}

export function failureOf(run: Run, job: Job | undefined): RunFailure | undefined {
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
