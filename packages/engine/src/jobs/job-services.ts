import type { ScriptEngine } from "@weft/cwl/expression/script-engine.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { DiskAccess } from "../access/disk-access.ts";
import type { Containers } from "../container/containers.ts";
import type { BackendPolicy } from "../executor/backends/choose-backend.ts";
import type { Machine } from "../executor/executor.ts";
import type { Reach } from "../files/beneath/reach.ts";
import type { RunLog } from "../journal/run-log.ts";
import type { Log } from "../log.ts";
import type { JobSandbox } from "../sandbox/job-sandbox.ts";
import type { Scheduler } from "../schedule/scheduler.ts";
import type { SecretStore } from "../secrets/secret-store.ts";
import type { JobTurn } from "./job.ts";

/** The files of runs, and who may read them. */
export interface RunDisk {
  readonly access: DiskAccess;
  /** The files that the run may read; outside of a run, those that every caller may read. */
  readonly reach: Reach;
  readonly files: FileAccess;
  /** Absolute path of the folder that contains one folder per run. */
  readonly runsFolder: string;
  /** True: results are on disk (fsync) before the log says that they exist. */
  readonly sync: boolean;
  /** How large and deep files and folders may be. */
  readonly limits: Limits;
}

/** Programs start through these. */
export interface JobMachine {
  readonly scheduler: Scheduler;
  readonly executor: Machine;
  /** The backend for each job. */
  readonly backends: BackendPolicy;
  readonly containers: Containers;
  /** The sandbox for jobs without a container. */
  readonly jobSandbox: JobSandbox;
  /** Time between the polite and the final signal of an abort. */
  readonly graceMs: number;
}

/** Evaluates expressions within limits. */
export interface Scripts {
  readonly script: ScriptEngine;
  readonly limits: Limits;
}

/** Everything that a job acts through. */
export interface JobServices extends RunLog, RunDisk, JobMachine, Scripts {
  readonly secrets: SecretStore;
  /** Whether a job may reuse the results of other owners; otherwise nothing reveals that they exist. */
  readonly sharesResults: boolean;
  readonly log: Log;
}

/** Arguments of a stage besides the job. */
export interface JobContext {
  readonly services: JobServices;
  readonly turn: JobTurn;
}
