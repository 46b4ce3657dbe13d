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

/** One execution of one tool inside a run, with its inputs bound: everything needed to start it. */
export interface Job {
  readonly runId: string;
  readonly jobId: string;
  readonly step: string;
  readonly sampleId: string | undefined;
  readonly attempt: number;
  readonly process: CommandLineTool | ExpressionTool | Operation;
  readonly requirements: RequirementSet;
  readonly evaluator: Evaluator;
  /** Bound: defaults applied, files found, contents and listings loaded. */
  readonly inputs: CwlObject;
  readonly resources: ResourceRequest;
  /** Where its program runs. */
  readonly backend: BackendKind;
  /** `sha256:…` of the very image that it is to run in, of the name that its tool gives; absent: whichever has the name. */
  readonly pinnedImage?: string | undefined;
  /** Absolute path of the folder of this attempt. */
  readonly folder: string;
  /** Absent until earlier jobs have been looked at. */
  readonly reuse?: JobReuse;
  /** Present if it is to be reattached. */
  readonly startedBefore?: StartedBefore | undefined;
}

/** What was found when a result of an earlier job was looked for. */
export interface JobReuse {
  readonly record: RecordedCache;
  /** Absent where the result of this job is not to be kept. */
  readonly key?: JobKey | undefined;
}

/** What the log says of a job that an earlier server started. */
export interface StartedBefore {
  /** What it runs in. */
  readonly container: JobContainer | null | undefined;
  readonly sandbox: JobSandbox | null | undefined;
}

/** A job's share of the machine, and the run's word that it may go on. */
export interface JobTurn {
  /** Aborted when the job is to go no further. Its processes, if there are any, are being ended by somebody else. */
  readonly signal: AbortSignal;
  /** Whether it has its share by now; it may get ready before that. */
  readonly isGranted: boolean;
  /** Gives the share back; nothing happens the second time. */
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
