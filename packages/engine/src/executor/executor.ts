import type { Reach } from "../files/beneath/reach.ts";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { ContainerKind } from "@weft/shared/records/container-record.ts";
import type { KillEvidence } from "@weft/shared/records/kill-record.ts";
import type { ReasonCode } from "@weft/shared/records/state.ts";

/**
 * Where jobs run: processes of this machine, or a cluster. Whatever comes behind this port, nothing above it knows which one runs.
 * A job is started at most once per attempt folder: the wrapper claims the folder before it starts the program, and the
 * exit file in it is the truth about the end (RELIABILITY: intent, claim, start, exit file, collect).
 */
export interface Executor {
  /** Whether a launch's `ramLimitBytes` is enforced here; absent: no. */
  readonly limitsMemory?: boolean;
  start(launch: Launch): RunningJob;
  /** What became of an attempt that an earlier server had begun. Rejects where its folder cannot be read. */
  inspect(attempt: BegunAttempt): Promise<AttemptState>;
  /** Takes a job up again whose folder was claimed by an earlier server. */
  reattach(launch: Launch): RunningJob;
  /** Why a job that was started here does not run yet: one sentence; undefined where there is nothing to tell. */
  whyWaiting?(job: JobName): string | undefined;
  /** Ends every process of the target and proves that none is left. */
  kill(target: KillTarget): Promise<KillReport>;
  /** Lets go of everything without ending jobs. */
  close(): Promise<void>;
}

/** A job, whatever its attempt. */
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
 * `reattach`: it runs, waits at its backend, or has left its exit code; `lost`: it ran, and ended without a record;
 * `unclaimed`: nobody has started its program, and nobody will.
 */
export type AttemptState = "reattach" | "lost" | "unclaimed";

/** What a job asks for, where a machine is to be found for it. */
export interface LaunchSize {
  /** May be a fraction. */
  readonly cores: number;
  /** Undefined: the tool does not say. */
  readonly ramMib: number | undefined;
  /** Its time limit; undefined: it has none. */
  readonly seconds: number | undefined;
  /** For what it writes; absent: the tool does not say. */
  readonly diskMib?: number | undefined;
}

/** A folder or file of this machine at a place inside the container. Absolute paths. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly writable: boolean;
}

/** A job as a backend runs it that has containers of its own; program and environment are those of the launch. */
export interface LaunchTask {
  readonly image: string;
  /** Absolute paths in the container: the folder of outputs, and one for what is needed while it runs. */
  readonly workdir: string;
  readonly tmpdir: string;
  /** In the container; undefined: none. */
  readonly stdin: string | undefined;
  /** What the job sees of this machine. */
  readonly mounts: readonly Mount[];
  /** The files of this machine that may be sent. */
  readonly reach: Reach;
}

export interface Launch extends JobName {
  readonly attempt: number;
  readonly backend: BackendKind;
  readonly size: LaunchSize;
  /** Absolute path of the attempt folder: claim and exit files, logs. Exists. */
  readonly folder: string;
  readonly workdir: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute paths. */
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
  /** The most memory that it may have, where the executor can set a limit; undefined: any. */
  readonly ramLimitBytes?: number | undefined;
  /** Words that stand before the program and close it in (sandbox/); absent: none. They are no part of its command line. */
  readonly sandbox?: readonly string[] | undefined;
  /** How a sandbox supervisor closes the program in, in the place of `sandbox`. */
  readonly box?: LaunchBox | undefined;
  /** Set where the program is that of a container engine: what it leaves in the engine belongs to the job. */
  readonly container?: ContainerKind;
  /** Set for backends that run containers themselves, and nothing else. */
  readonly task?: LaunchTask;
}

/** A job for a supervisor that starts programs in sandboxes (sandbox/sandbox-supervisor.ts). */
export interface LaunchBox {
  /** The supervisor, with its arguments. */
  readonly supervisor: readonly string[];
  /** Jobs with the same key may use the same namespaces one after another. Without spaces. */
  readonly key: string;
  /** What the job sees, in the words of bubblewrap. */
  readonly view: readonly string[];
  /** Files that the job opens as its streams, by absolute paths; it inherits the others. */
  readonly streams: {
    readonly stdin?: string | undefined;
    readonly stdout?: string | undefined;
    readonly stderr?: string | undefined;
  };
}

export interface RunningJob {
  /** The backend's own name of the job (a process id), once it runs; undefined if it never did. */
  readonly started: Promise<string | undefined>;
  readonly exit: Promise<JobExit>;
}

export type JobExit =
  /**
   * The program ended and its exit code is on record. Codes above 128 may stand for a signal (code - 128); `cause`: it was the
   * backend that sent it.
   */
  | ({ readonly kind: "exited"; readonly exitCode: number; readonly cause?: BackendCause } & JobEvidence)
  /** The program is gone without a record: killed with its wrapper, or the machine went down. */
  | { readonly kind: "lost"; readonly cause?: BackendCause }
  /** It could not be started at all. */
  | { readonly kind: "rejected"; readonly message: string; readonly isDiskFull?: boolean };

/** Why a backend ended or lost a job, by its own word. */
export interface BackendCause {
  readonly code: Extract<ReasonCode, "TIME_LIMIT" | "OUT_OF_MEMORY" | "NODE_FAIL" | "PREEMPTED" | "BACKEND_LOST">;
  readonly message: string;
  readonly hint: string;
}

/** What a program and its descendants used; null where nobody counted. */
export interface UsedResources {
  /** CPU time of those that were waited for. */
  readonly cpuMs: number | null;
  /** `sampled`: the most that was seen at any look; `cgroup`: the most that the kernel charged, cached files included; `slurm`: by its accounts. */
  readonly maxRssBytes: number | null;
  readonly memorySource: "sampled" | "cgroup" | "slurm" | null;
  /** Through system calls, of those that were waited for: from disk, cache and pipes alike. */
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
   * The kernel has ended processes for lack of memory: `cgroup`, processes of the job; `machine`, some on this machine while
   * the job ran.
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

/** What ending processes came to. */
export interface KillReport {
  /** True when nothing is left, by all of `evidence`. */
  readonly proven: boolean;
  readonly evidence: readonly KillEvidence[];
  /** The attempts of which anything was found. */
  readonly jobs: readonly KilledJob[];
  /** Ids of the processes that could not be ended. */
  readonly left: readonly number[];
}

export interface KilledJob {
  /** Empty, with attempt 0, for what is of the run and says no more. */
  readonly jobId: string;
  readonly attempt: number;
  /** Sent to any of its processes, in order. */
  readonly signals: readonly ("SIGTERM" | "SIGKILL")[];
  /** Processes, and containers. */
  readonly found: number;
  /** How many of these did not end by themselves within the grace time. */
  readonly killed: number;
  /** When three looks in a row had found nothing of it, in milliseconds since 1970. */
  readonly confirmedMs: number | null;
}
