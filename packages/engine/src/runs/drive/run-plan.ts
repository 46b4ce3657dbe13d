import type { FormatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Advance, Call, CallOutcome } from "@weft/cwl/workflow/advance.ts";
import type { JobTool } from "@weft/shared/records/job-record.ts";
import type { CacheMode, FAILURE_POLICIES } from "@weft/shared/records/run-record.ts";
import type { StepSize } from "@weft/cwl/workflow/step-sizes.ts";
import type { MemoryPolicy } from "../../jobs/more-memory.ts";
import type { RunFetch } from "./run-fetch.ts";
import type { JobPosition } from "../../journal/read-cache.ts";
import type { SampleNames, Sinks } from "../../sink/check-sinks.ts";
import type { JobRow } from "../../journal/rows.ts";

/** What a run is made of once its document and inputs are loaded. */
export interface RunPlan {
  readonly runId: string;
  /** Network or single tool as a state machine that is fed with the ends of jobs. */
  readonly progress: RunProgress;
  /** Brings what comes from elsewhere and binds the inputs. Rejects with CwlFailure. */
  readonly prepare: () => Promise<CwlObject>;
  readonly fetch: RunFetch;
  /** Aborted when the run stops. */
  readonly stop: AbortController;
  readonly formats: FormatKnowledge;
  readonly policy: (typeof FAILURE_POLICIES)[number];
  /** As asked for (see jobs/retry-policy.ts). */
  readonly retries: number | undefined;
  /** Whether results of earlier jobs are taken over, and those of this run kept. */
  readonly cache: CacheMode;
  /** What runs, by the catalog's name. */
  readonly place: Pick<JobPosition, "kind" | "processId">;
  readonly memoryPolicy: MemoryPolicy;
  /** The catalog's name of a process. */
  readonly describeTool: (call: Call) => JobTool;
  /** `sha256:…` of the image that a call ran in where this run reproduces another; undefined: the tool's word decides. */
  readonly pinnedImage: (call: Call) => string | undefined;
  /** Absolute path of the folder in which the outputs of the run are put. */
  readonly outputsFolder: string;
  /** Where its outputs are copied to. */
  readonly sinks: Sinks;
  /** Names of elements of inputs, as they were given. */
  readonly samples: SampleNames;
  /** Of a run that an earlier server began: what the log knows of a call. */
  readonly recorded: (callId: string) => JobRow | undefined;
  /** Number of the last job that the log knows; 0 for a new run. */
  readonly jobsRecorded: number;
}

/** The part of NetworkProgress that a driver needs; a single tool has one of its own. */
export interface RunProgress {
  start(inputs: CwlObject): Promise<Advance>;
  callEnded(callId: string, outcome: CallOutcome): Promise<Advance>;
  nextCalls(): Promise<Advance>;
  stepSizes(): ReadonlyMap<string, StepSize>;
  /** Of outputs that are lists, the names of their elements, as far as they have some. */
  outputNames(): ReadonlyMap<string, readonly string[]>;
}
