import type { ContainerKind } from "@weft/shared/records/container-record.ts";

/**
 * Where jobs run. Local processes now; whatever comes behind this port, nothing above it knows which one runs.
 * A job is started at most once per attempt folder: the wrapper claims the folder before it starts the program, and the
 * exit file in it is the truth about the end (RELIABILITY: intent, claim, start, exit file, collect).
 */
export interface Executor {
  /** `local`, …: shown as the job's backend. */
  readonly kind: string;
  start(launch: Launch): RunningJob;
  /** Takes a job up again whose folder was claimed by an earlier server. */
  adopt(launch: Launch): RunningJob;
  /** Ends every process that carries the marker and proves that none is left. */
  kill(target: KillTarget): Promise<KillReport>;
  /** Lets go of everything without ending jobs. */
  close(): Promise<void>;
}

export interface Launch {
  readonly runId: string;
  readonly jobId: string;
  readonly attempt: number;
  /** Absolute path of the attempt folder: claim and exit files, logs. Exists. */
  readonly folder: string;
  readonly workdir: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute paths. */
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Set where the program is that of a container engine: what it leaves in the engine belongs to the job. */
  readonly container?: ContainerKind;
}

export interface RunningJob {
  /** The backend's own name of the job (a process id), once it runs; undefined if it never did. */
  readonly started: Promise<string | undefined>;
  readonly exit: Promise<JobExit>;
}

export type JobExit =
  /** The program ended and its exit code is on record. Codes above 128 may stand for a signal (code - 128). */
  | { readonly kind: "exited"; readonly exitCode: number; readonly cpuMs: number | null }
  /** The program is gone without a record: killed with its wrapper, or the machine went down. */
  | { readonly kind: "lost" }
  /** It could not be started at all. */
  | { readonly kind: "rejected"; readonly message: string; readonly isDiskFull?: boolean };

/** All jobs of a run, or one attempt of one job. */
export interface KillTarget {
  readonly runId: string;
  readonly job?: { readonly jobId: string; readonly attempt: number };
  readonly graceMs: number;
}

export interface KillReport {
  /** Processes that were sent a signal. */
  readonly signalled: number;
  /** Of these, how many had to be killed after the grace time. */
  readonly killed: number;
  /** True when three scans in a row found nothing. */
  readonly proven: boolean;
}
