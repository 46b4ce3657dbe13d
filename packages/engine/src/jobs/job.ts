import type { ResourceRequest } from "@weft/cwl/model/job-plan.ts";
import type { Evaluator } from "@weft/cwl/expression/evaluate.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { RequirementSet } from "@weft/cwl/model/effective-requirements.ts";
import type { CommandLineTool, ExpressionTool, Operation } from "@weft/cwl/model/process.ts";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";
import type { JobState, StateReason } from "@weft/shared/records/state.ts";
import type { JobKey } from "../journal/recorded-cache.ts";
import type { RecordedCache } from "@weft/shared/events/job-events.ts";

/** One execution of one tool in a run, with bound inputs and everything needed to start it. */
export interface Job {
  readonly runId: string;
  readonly jobId: string;
  readonly step: string;
  readonly sampleId: string | undefined;
  readonly attempt: number;
  readonly process: CommandLineTool | ExpressionTool | Operation;
  readonly requirements: RequirementSet;
  readonly evaluator: Evaluator;
  /** Bound: with defaults applied, files resolved, and contents and listings loaded. */
  readonly inputs: CwlObject;
  readonly resources: ResourceRequest;
  /** The backend that runs its program. */
  readonly backend: BackendKind;
  /** `sha256:…` of the exact image to use under the name that the tool gives; absent: whichever image has the name. */
  readonly pinnedImage?: string | undefined;
  /** Absolute path of this attempt's folder. */
  readonly folder: string;
  /** Absent until earlier results have been looked up. */
  readonly reuse?: JobReuse;
  /** Present if it is to be reattached. */
  readonly startedBefore?: StartedBefore | undefined;
}

/** The result of looking for an earlier job. */
export interface JobReuse {
  readonly record: RecordedCache;
  /** Absent if the result of this job is not to be kept. */
  readonly key?: JobKey | undefined;
}

/** What the log says about a job that an earlier server started. */
export interface StartedBefore {
  /** Its container. */
  readonly container: JobContainer | null | undefined;
  readonly sandbox: JobSandbox | null | undefined;
}

/** A job's reservation on the machine, and the run's permission to continue. */
export interface JobTurn {
  /** Aborted when the job must stop. The caller ends its processes, if there are any. */
  readonly signal: AbortSignal;
  /** Whether it has its reservation; it may get ready before. */
  readonly isGranted: boolean;
  /** Releases the reservation; a second call does nothing. */
  release(): void;
}

/** How a job ended: a value, never an exception. */
export type JobOutcome =
  | { readonly status: "success"; readonly outputs: CwlObject }
  | {
      readonly status: "failed";
      readonly state: Extract<JobState, "EXECUTOR_ERROR" | "SYSTEM_ERROR">;
      readonly reason: StateReason;
    }
  | { readonly status: "canceled" };
