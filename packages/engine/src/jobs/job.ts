import type { ResourceRequest, StagingEntry } from "@weft/cwl/model/job-plan.ts";
import type { Evaluator } from "@weft/cwl/expression/evaluate.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { RequirementSet } from "@weft/cwl/model/effective-requirements.ts";
import type { CommandLineTool, ExpressionTool, Operation } from "@weft/cwl/model/process.ts";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import type { RecordedCache } from "@weft/shared/events/job-events.ts";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";
import type { UsedResources } from "../executor/executor.ts";
import type { ReusableJob } from "../journal/read-cache.ts";
import type { JobKey } from "./cache/job-key.ts";
import type { JobFailure } from "./job-failure.ts";

/**
 * The stages of a job: bound, compared with earlier jobs, prepared (prepare-job.ts), exited (start-job.ts), collected. Each
 * module `…-job.ts` takes the value of the stage before and returns that of its own, or the end of the job.
 */
export interface JobIdentity {
  readonly runId: string;
  readonly jobId: string;
  readonly step: string;
  readonly sampleId: string | undefined;
}

/** One execution of one tool in a run, with bound inputs. */
export interface BoundJob extends JobIdentity {
  readonly attempt: number;
  readonly process: CommandLineTool | ExpressionTool | Operation;
  readonly requirements: RequirementSet;
  readonly evaluator: Evaluator;
  /** The inputs with defaults applied, files resolved, and contents and listings loaded. */
  readonly inputs: CwlObject;
  readonly resources: ResourceRequest;
  /** The backend that runs its program. */
  readonly backend: BackendKind;
  /** `sha256:…` of the exact image to use under the name that the tool gives; absent: whichever image has the name. */
  readonly pinnedImage?: string | undefined;
  /** Absolute path of this attempt's folder. */
  readonly folder: string;
}

/** The job equals an earlier one, whose files it has under its own paths: nothing is prepared or started. */
export interface ReusedJob extends BoundJob {
  readonly kind: "reused";
  readonly reuse: JobReuse;
  readonly earlier: ReusableJob;
  readonly outputs: CwlObject;
}

/** The job must run. */
export interface NewJob extends BoundJob {
  readonly kind: "new";
  readonly reuse: JobReuse;
}

/** A job that an earlier server started: it is not compared, and its folders and image exist. */
export interface BegunJob extends BoundJob {
  readonly kind: "begun";
  readonly reuse: JobReuse;
  readonly begun: Begun;
}

/** A job that needs a turn. */
export type ComparedJob = NewJob | BegunJob;

/** The result of looking for an earlier job. */
export interface JobReuse {
  readonly record: RecordedCache;
  /** Absent if the result of this job must not be reused. */
  readonly key?: JobKey | undefined;
}

/** The log's record of a job that an earlier server started. */
export interface Begun {
  /** The job's container. */
  readonly container: JobContainer | null | undefined;
  readonly sandbox: JobSandbox | null | undefined;
}

/** A job's reservation on the machine, and the run's permission to continue. */
export interface JobTurn {
  /** Aborted when the job must stop. The caller ends its processes, if there are any. */
  readonly signal: AbortSignal;
  /** True if the job has its reservation. It may be prepared before. */
  readonly isGranted: boolean;
  /** Releases the reservation; a second call does nothing. */
  release(): void;
}

/** The end of a job, as a value and never as an exception. */
export type JobOutcome =
  | { readonly status: "success"; readonly outputs: CwlObject }
  | ({ readonly status: "failed" } & JobFailure)
  | { readonly status: "canceled" };

/** Results of a job besides its outcome. */
export interface JobEnd {
  readonly outcome: JobOutcome;
  readonly exitCode: number | null;
  readonly used: UsedResources;
  /** Set if Weft ended the attempt itself. */
  readonly kill?: RecordedKill | undefined;
  readonly stderrTail?: string | undefined;
  /** The tool declares its exit code a temporary failure. */
  readonly isTemporary?: boolean;
  /** The number of milliseconds since the program began, if no event has recorded the start. */
  readonly ranMs?: number | undefined;
  /** The origin of a successful command's result: its container and the staged files. */
  readonly made?: { readonly container: JobContainer | undefined; readonly staging: readonly StagingEntry[] };
}
