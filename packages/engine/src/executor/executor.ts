import type { Reach } from "../files/beneath/reach.ts";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { ContainerKind } from "@weft/shared/records/container-record.ts";
import type { KillEvidence } from "@weft/shared/records/kill-record.ts";
import type { ReasonCode } from "@weft/shared/records/state.ts";

/**
 * Where jobs run: processes of this machine, or a cluster. Nothing above this port knows which. A job starts at most
 * once per attempt folder: the wrapper claims the folder before it starts the program, and the record in the folder is
 * the truth about its exit (intent, claim, start, record, collect).
 */
export interface Machine {
  /** True if a launch's `ramLimitBytes` is enforced. Default: false. */
  readonly limitsMemory?: boolean;
  submit(launch: Launch): RunningJob;
  /** The state of an attempt that an earlier server began. Rejects if its folder cannot be read. */
  look(attempt: BegunAttempt): Promise<AttemptState>;
  /** Reattaches a job whose folder was claimed under an earlier server. */
  reattach(launch: Launch): RunningJob;
  /** One sentence about why a job that was started here is not running yet; undefined if there is nothing to report. */
  whyWaiting?(job: JobName): string | undefined;
  /** Ends every process of the target and proves that none is left. */
  cancel(target: KillTarget): Promise<KillReport>;
  /** Detaches from all jobs without ending them. */
  close(): Promise<void>;
}

/** A job, regardless of its attempt. */
export interface JobName {
  readonly runId: string;
  readonly jobId: string;
}

export interface BegunAttempt extends JobName {
  readonly attempt: number;
  /** Absolute path of the attempt folder. */
  readonly folder: string;
  readonly backend: BackendKind;
}

/**
 * `reattach`: it is running, waits at its backend, or has recorded its exit code; `lost`: it ran and ended without a
 * record; `unclaimed`: its program has not been started, and never will be.
 */
export type AttemptState = "reattach" | "lost" | "unclaimed";

/** Request of a job to a system that allocates machines. */
export interface LaunchSize {
  /** May be a fraction. */
  readonly cores: number;
  /** Undefined if the tool does not request any. */
  readonly ramMib: number | undefined;
  /** The job's time limit; undefined: none. */
  readonly seconds: number | undefined;
  /** The space for outputs; undefined if the tool does not request any. */
  readonly diskMib?: number | undefined;
}

/** A local folder or file mounted inside the container. Absolute paths. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly writable: boolean;
}

/** The rest of a job for a backend that runs containers itself; the launch contains the program and the environment. */
export interface LaunchTask {
  readonly image: string;
  /** Absolute paths in the container: the output directory and the temporary directory. */
  readonly workdir: string;
  readonly tmpdir: string;
  /** Path in the container; undefined: none. */
  readonly stdin: string | undefined;
  /** The job's view of this machine. */
  readonly mounts: readonly Mount[];
  /** The local files that may be sent to the backend. */
  readonly reach: Reach;
}

export interface Launch extends JobName {
  readonly attempt: number;
  readonly backend: BackendKind;
  readonly size: LaunchSize;
  /** Absolute path of the attempt folder, which contains claim, exit and logs. Exists. */
  readonly folder: string;
  readonly workdir: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute paths. */
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Memory limit, if the executor can enforce one; undefined: none. */
  readonly ramLimitBytes?: number | undefined;
  /** The sandbox; without it, the job starts as a plain process. Not part of the job's command line. */
  readonly sandbox?: LaunchSandbox | undefined;
  /** Set if the program belongs to a container engine; containers that it leaves belong to the job. */
  readonly container?: ContainerKind;
  /** Set only for backends that run containers themselves. */
  readonly task?: LaunchTask;
}

/** The command that starts a program in a sandbox (sandbox/). */
export interface LaunchSandbox {
  /** Starts the launcher inside, which finds the launch file open and becomes the program. */
  readonly argv: readonly string[];
  /** Absolute paths of files that this command line finds open, by their descriptors (4 to 63). */
  readonly open: Readonly<Record<number, string>>;
  /** Absolute paths of files that the job opens inside as its streams; it inherits the other streams. */
  readonly streams: {
    readonly stdin?: string | undefined;
    readonly stdout?: string | undefined;
    readonly stderr?: string | undefined;
  };
}

export interface RunningJob {
  /** The backend's id of the job (here a process id) once it runs; undefined if it never did. */
  readonly started: Promise<string | undefined>;
  readonly exit: Promise<JobExit>;
}

export type JobExit =
  /**
   * The program ended, and its exit code is recorded. Codes above 128 may mean a signal (code - 128); `cause`: the
   * backend sent it.
   */
  | ({ readonly kind: "exited"; readonly exitCode: number; readonly cause?: BackendCause } & JobEvidence)
  /** The program is gone without a record: killed with its wrapper, or the machine went down. */
  | { readonly kind: "lost"; readonly cause?: BackendCause }
  /** The job could not be started. */
  | { readonly kind: "rejected"; readonly message: string; readonly isDiskFull?: boolean };

/** The backend's reason for ending or losing a job. */
export interface BackendCause {
  readonly code: Extract<
    ReasonCode,
    "TIME_LIMIT" | "OUT_OF_MEMORY" | "LIMIT_EXCEEDED" | "NODE_FAIL" | "PREEMPTED" | "BACKEND_LOST"
  >;
  readonly message: string;
  readonly hint: string;
  /** The job's files must not stay on disk. */
  readonly clearsFiles?: boolean;
}

/** Resources that a program and its descendants used; null if unknown. */
export interface UsedResources {
  /** CPU time of reaped processes. */
  readonly cpuMs: number | null;
  /**
   * `sampled`: the highest sample or peak of a single process; `cgroup`: peak of the charged memory, including cached
   * files; `slurm`: the value from its accounting.
   */
  readonly maxRssBytes: number | null;
  readonly memorySource: "sampled" | "cgroup" | "slurm" | null;
  /** Bytes that reaped processes read or wrote through system calls: disk, cache and pipes alike. */
  readonly ioReadBytes: number | null;
  readonly ioWriteBytes: number | null;
}

export const NOTHING_MEASURED: UsedResources = {
  cpuMs: null,
  maxRssBytes: null,
  memorySource: null,
  ioReadBytes: null,
  ioWriteBytes: null,
};

export interface JobEvidence {
  readonly used: UsedResources;
  /**
   * The kernel killed processes for lack of memory: `cgroup`, of this job; `machine`, on this machine while the job
   * ran.
   */
  readonly oom?: { readonly source: "cgroup" | "machine"; readonly kills: number };
}

/** All jobs of a run, or one attempt of one job. */
export interface JobSelector {
  readonly runId: string;
  readonly job?: { readonly jobId: string; readonly attempt: number } | undefined;
}

export interface KillTarget extends JobSelector {
  readonly graceMs: number;
}

/** The result of ending processes. */
export interface KillReport {
  /** True if all `evidence` shows that no process is left. */
  readonly proven: boolean;
  readonly evidence: readonly KillEvidence[];
  /** The attempts that still had a process or a container. */
  readonly jobs: readonly KilledJob[];
  /** Ids of processes that could not be ended. */
  readonly left: readonly number[];
}

export interface KilledJob {
  /** Empty, with attempt 0, for a process that belongs to the run but names no job. */
  readonly jobId: string;
  readonly attempt: number;
  /** Signals sent to any of its processes, in order. */
  readonly signals: readonly ("SIGTERM" | "SIGKILL")[];
  /** Number of processes and containers. */
  readonly found: number;
  /** The number of processes that did not end within the grace time. */
  readonly killed: number;
  /** The time of the third consecutive search that found nothing, in milliseconds since 1970. */
  readonly confirmedMs: number | null;
}
