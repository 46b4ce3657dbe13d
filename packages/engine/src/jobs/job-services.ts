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
  /** The files that the run may read; outside of a run, files that every caller may read. */
  readonly reach: Reach;
  readonly files: FileAccess;
  /** Absolute path of the folder that contains one folder per run. */
  readonly runsFolder: string;
  /** True if results are synced to disk before the log records that they exist. */
  readonly sync: boolean;
  /** The limits of files, folders and values. */
  readonly limits: Limits;
}

/** The services through which programs start. */
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

/** The services that a job uses. */
export interface JobServices extends RunLog, RunDisk, JobMachine, Scripts {
  readonly secrets: SecretStore;
  /** True if a job may reuse the results of other owners; otherwise their existence is not revealed. */
  readonly sharesResults: boolean;
  readonly log: Log;
}

/** Arguments of a stage besides the job. */
export interface JobContext {
  readonly services: JobServices;
  readonly turn: JobTurn;
}
