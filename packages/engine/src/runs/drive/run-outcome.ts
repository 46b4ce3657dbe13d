import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import type { Advance, EndedOutputs } from "@weft/cwl/workflow/advance.ts";
import { ResultList } from "@weft/cwl/workflow/result-list.ts";
import { isArray } from "@weft/cwl/values/value-kind.ts";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import type { Outcome, RunState, StateReason } from "@weft/shared/records/state.ts";
import type { FAILURE_POLICIES } from "@weft/shared/records/run-record.ts";
import type { JobFailure } from "../../jobs/job-failure.ts";
import type { NewEvent } from "../../journal/journal-event.ts";

/** The end of a run before its outputs are published; publishing may still fail. */
export interface RunEnd {
  readonly state: RunState;
  readonly outcome: Outcome;
  readonly reason: StateReason | null;
  /** The outputs to publish; for a failed run, the available ones. */
  readonly outputs: EndedOutputs | undefined;
}

/** The result of driving the run. */
export interface DrivenEnd extends RunEnd {
  /** The bound inputs; empty if the run failed before binding them. */
  readonly inputs: CwlObject;
  /** The names of list elements, by output. */
  readonly outputNames: () => ReadonlyMap<string, readonly string[]>;
  /** How its processes were ended, if they were. */
  readonly kill: RecordedKill | undefined;
  /** Events about the killed jobs, to append with the end. */
  readonly killed: readonly NewEvent[];
}

export type FailurePolicy = (typeof FAILURE_POLICIES)[number];

export interface FailedJob {
  /** The id of the job; empty for a failure between jobs. */
  readonly jobId: string;
  readonly failure: JobFailure;
}

/** Failures beyond this number are only counted. */
export const KEPT_FAILURES = 10;

export const ABORTED: RunEnd = {
  state: "CANCELED",
  outcome: "canceled",
  reason: { code: "ABORTED", message: "The run was aborted." },
  outputs: undefined,
};

/** A run without open jobs. */
export interface DrivenRun {
  /** The first failures. */
  readonly failedJobs: readonly FailedJob[];
  readonly ended: Advance["ended"];
  readonly policy: FailurePolicy;
}

/** The end of the run: its state, reason and outputs. */
export function runOutcome({ failedJobs, ended, policy }: DrivenRun): RunEnd {
  const outputs = ended?.outputs;
  const [failed] = failedJobs;
  if (failed === undefined && ended?.status === "success")
    return { state: "COMPLETE", outcome: "success", reason: null, outputs };
  const partial =
    policy === "continue" && outputs !== undefined && Object.values(outputs).some((value) => holdsAny(value));
  const { state, reason } = failed?.failure ?? {
    state: "SYSTEM_ERROR",
    reason: { code: "ENGINE", message: "The run did not end." },
  };
  return {
    state,
    outcome: partial ? "partial" : "failure",
    reason: runReason(reason, failedJobs),
    outputs: partial ? outputs : undefined,
  };
}

/** True if a value other than null is in the list, at any depth. */
function holdsAny(value: CwlValue | ResultList): boolean {
  if (value instanceof ResultList) return value[Symbol.iterator]().some(holdsAny);
  return isArray(value) ? value.some(holdsAny) : value !== null;
}

/** One sentence for the whole run, naming the first job that failed. */
function runReason(reason: StateReason, failedJobs: readonly FailedJob[]): StateReason {
  const jobId = failedJobs[0]?.jobId;
  if (jobId === undefined || jobId === "") return reason;
  const others = failedJobs.length - 1;
  const atLeast = others === KEPT_FAILURES - 1 ? `at least ${others}` : others;
  const more = others === 0 ? "" : ` (and ${atLeast} more ${others === 1 ? "job" : "jobs"} failed)`;
  return { ...reason, message: `Job ${jobId} failed: ${reason.message}${more}`, job_id: jobId };
}
