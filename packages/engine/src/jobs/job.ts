import type { ResourceRequest } from "@weft/cwl/model/job-plan.ts";
import type { Evaluator } from "@weft/cwl/expression/evaluate.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { RequirementSet } from "@weft/cwl/model/effective-requirements.ts";
import type { CommandLineTool, ExpressionTool, Operation } from "@weft/cwl/model/process.ts";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";
import type { JobState, ReasonCode, StateReason } from "@weft/shared/records/state.ts";
import type { FinishedJob } from "./cache/keep-result.ts";
import type { JobKey } from "../journal/recorded-cache.ts";
import type { RecordedCache, ReusableResult } from "@weft/shared/events/job-events.ts";
import type { FailedAttempt } from "./retry-policy.ts";

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
}

/** What was found when a result of an earlier job was looked for. */
export interface JobReuse {
  readonly record: RecordedCache;
  /** Absent where the result of this job is not to be kept. */
  readonly key?: JobKey | undefined;
}

/** What the run has to say to a job while it runs. */
export interface JobControl {
  /** Aborted when the run stops: the job's processes are being ended by somebody else. */
  readonly signal: AbortSignal;
  /** An earlier server started it. */
  readonly reattached: boolean;
  /** What the log says that a reattached job runs in. */
  readonly container?: JobContainer | null | undefined;
  /** And how it was closed in. */
  readonly sandbox?: JobSandbox | null | undefined;
  /**
   * Called when the program has ended well, before its outputs are collected: its cores and memory are free again. Not for
   * one that failed: first the run must know, so that nothing starts that should not.
   */
  readonly onExit: () => void;
  /** How long to wait before another attempt after a failed one; undefined: the failure is the job's end. */
  readonly retryDelayMs: (failed: FailedAttempt) => number | undefined;
  /** Whether later jobs may take the result (see jobs/cache/keep-result.ts). */
  readonly keepResult: (job: Job, finished: FinishedJob) => Promise<ReusableResult | string | undefined>;
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

/** An attempt has failed, and the log says that another follows. */
export interface Retrying {
  readonly status: "retrying";
  /** Why it failed. */
  readonly code: ReasonCode;
  readonly delayMs: number;
}
