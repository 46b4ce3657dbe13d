import type { ContainerKind } from "@weft/shared/records/container-record.ts";
import type { KillEvidence } from "@weft/shared/records/kill-record.ts";

/**
 * Where jobs run. Local processes now; whatever comes behind this port, nothing above it knows which one runs.
 * A job is started at most once per attempt folder: the wrapper claims the folder before it starts the program, and the
 * exit file in it is the truth about the end (RELIABILITY: intent, claim, start, exit file, collect).
 */
export interface Executor {
  /** `local`, …: shown as the job's backend. */
  readonly kind: string;
  /** Whether a launch's `ramLimitBytes` is enforced here; absent: no. */
  readonly limitsMemory?: boolean;
  start(launch: Launch): RunningJob;
  /** Takes a job up again whose folder was claimed by an earlier server. */
  adopt(launch: Launch): RunningJob;
  /** Ends every process of the target and proves that none is left. */
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
  /** The most memory that it may have, where the executor can set a limit; undefined: any. */
  readonly ramLimitBytes?: number | undefined;
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
  | ({ readonly kind: "exited"; readonly exitCode: number } & JobEvidence)
  /** The program is gone without a record: killed with its wrapper, or the machine went down. */
  | { readonly kind: "lost" }
  /** It could not be started at all. */
  | { readonly kind: "rejected"; readonly message: string; readonly isDiskFull?: boolean };

/** What a program and its descendants used; null where nobody counted. */
export interface UsedResources {
  /** Of those that were waited for. */
  readonly cpuMs: number | null;
  /** `sampled`: the most that was seen at any look; `cgroup`: the most that the kernel charged, cached files included. */
  readonly maxRssBytes: number | null;
  readonly memorySource: "sampled" | "cgroup" | null;
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
export interface JobPlace {
  readonly runId: string;
  readonly job?: { readonly jobId: string; readonly attempt: number } | undefined;
}

export interface KillTarget extends JobPlace {
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
  /** Of these, how many did not end by themselves within the grace time. */
  readonly killed: number;
  /** When three looks in a row had found nothing of it, in milliseconds since 1970. */
  readonly confirmedMs: number | null;
}
