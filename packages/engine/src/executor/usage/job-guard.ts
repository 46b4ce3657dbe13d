import { lstat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { limitFlag, type LimitName, type Limits } from "@weft/shared/limits.ts";
import { bytesOnDisk, walkTree } from "../../files/beneath/walk-tree.ts";
import { undefinedIfMissing } from "../../files/beneath/undefined-if-missing.ts";
import type { BackendCause, KillTarget, Launch } from "../executor.ts";
import type { TreeUse } from "./tree-use.ts";

/** The limits of a job's use of this machine. */
export type JobLimits = Pick<Limits, "jobProcesses" | "jobOpenFiles" | "jobLogBytes" | "diskReserveBytes">;

/** The guard's measurements of this machine. Tests can replace it. */
export interface GuardedMachine {
  /** Size of a file in bytes; 0 if it does not exist. */
  readonly fileBytes: (path: string) => Promise<number>;
  /** The disk space of a folder and its contents, in bytes. */
  readonly folderBytes: (path: string) => Promise<number>;
  /** Size of the file system that holds a path, and its free space. */
  readonly disk: (path: string) => Promise<{ readonly freeBytes: number; readonly totalBytes: number }>;
}

export interface JobGuardOptions {
  readonly limits: JobLimits;
  readonly machine: GuardedMachine;
  readonly kill: (target: KillTarget) => Promise<unknown>;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

const LOOK_EVERY_MS = 1000;
/** The reserve is at most this share of the disk, so that small disks can run jobs. */
const LARGEST_RESERVE = 1 / 20;
/** Sizes of jobs are measured once the free space falls below this multiple of the reserve. */
const ALERT = 2;
/** A job that grows less between two checks does not fill the disk. */
const GROWTH_BYTES = 16 * 1024 ** 2;

interface Guarded {
  /** Process id of its wrapper. */
  readonly pid: number;
  cause: BackendCause | undefined;
  /** The disk space at the last measurement. */
  diskBytes: number | undefined;
}

/** Ends jobs that use so many processes, or so much disk space for logs and files, that other jobs would suffer. */
export class JobGuard {
  readonly #options: JobGuardOptions;
  readonly #jobs = new Map<Launch, Guarded>();
  readonly #byPid = new Map<number, Launch>();
  #dueMs = 0;
  #isLooking = false;

  constructor(options: JobGuardOptions) {
    this.#options = options;
  }

  /** `pid`: process id of its wrapper, which runs one job at a time. */
  watch(launch: Launch, pid: number): void {
    this.#jobs.set(launch, { pid, cause: undefined, diskBytes: undefined });
    this.#byPid.set(pid, launch);
  }

  /** Stops watching a job, and returns why it was ended, if it was. */
  end(launch: Launch): BackendCause | undefined {
    const guarded = this.#jobs.get(launch);
    if (guarded === undefined) return undefined;
    this.#jobs.delete(launch);
    if (this.#byPid.get(guarded.pid) === launch) this.#byPid.delete(guarded.pid);
    return guarded.cause;
  }

  /** Call it with each sample of the processes below a wrapper. */
  seen(pid: number, { tasks }: TreeUse): void {
    const { jobProcesses } = this.#options.limits;
    const launch = this.#byPid.get(pid);
    if (launch === undefined || tasks <= jobProcesses) return;
    this.#end(launch, exceeded("jobProcesses", `had ${tasks} processes; at most ${jobProcesses} are allowed`));
  }

  /** Call it often: looks at logs and the disk every second, unless the last check is still in progress. */
  async look(): Promise<void> {
    const nowMs = this.#options.now();
    const launches = [...this.#jobs.keys()];
    if (launches.length === 0 || this.#isLooking || nowMs < this.#dueMs) return;
    this.#isLooking = true;
    this.#dueMs = nowMs + LOOK_EVERY_MS;
    try {
      for (const launch of launches) await this.#lookAtLogs(launch);
      await this.#lookAtDisk(launches);
    } finally {
      this.#isLooking = false;
    }
  }

  /** Streams that the tool names are outputs, and may be as large as the disk allows. */
  async #lookAtLogs(launch: Launch): Promise<void> {
    const { limits, machine } = this.#options;
    for (const [name, title] of LOGS) {
      const bytes = await machine.fileBytes(join(launch.folder, name));
      if (bytes <= limits.jobLogBytes) continue;
      const written = `wrote ${mib(bytes)} to ${title}; at most ${mib(limits.jobLogBytes)} are allowed`;
      return this.#end(launch, exceeded("jobLogBytes", written));
    }
  }

  async #lookAtDisk(launches: readonly Launch[]): Promise<void> {
    const { limits, machine } = this.#options;
    const [first] = launches;
    if (first === undefined || limits.diskReserveBytes === 0) return;
    const { freeBytes, totalBytes } = await machine.disk(first.folder);
    const reserve = Math.min(limits.diskReserveBytes, totalBytes * LARGEST_RESERVE);
    if (freeBytes >= reserve * ALERT) return this.#forgetSizes();
    const grown = await this.#measureGrowth(launches);
    if (freeBytes >= reserve) return;
    const [fastest] = grown.toSorted((a, b) => b.bytes - a.bytes);
    if (fastest === undefined || fastest.bytes < GROWTH_BYTES) return;
    const sizes = `filled the disk: its files had grown to ${mib(fastest.total)}, and ${mib(freeBytes)} were left of ${mib(totalBytes)}`;
    this.#end(fastest.launch, {
      ...exceeded("diskReserveBytes", `${sizes}. Weft removed its files`),
      clearsFiles: true,
    });
  }

  async #measureGrowth(launches: readonly Launch[]) {
    const grown = [];
    for (const launch of launches) {
      const total = await this.#options.machine.folderBytes(launch.folder);
      const guarded = this.#jobs.get(launch);
      if (guarded === undefined || guarded.cause !== undefined) continue;
      if (guarded.diskBytes !== undefined) grown.push({ launch, total, bytes: total - guarded.diskBytes });
      guarded.diskBytes = total;
    }
    return grown;
  }

  #forgetSizes(): void {
    for (const guarded of this.#jobs.values()) guarded.diskBytes = undefined;
  }

  /** Checks a job again if its processes cannot be ended now. */
  #end(launch: Launch, cause: BackendCause): void {
    const guarded = this.#jobs.get(launch);
    if (guarded === undefined || guarded.cause !== undefined) return;
    guarded.cause = cause;
    const { runId, jobId, attempt } = launch;
    this.#options.kill({ runId, job: { jobId, attempt }, graceMs: 0 }).catch(() => (guarded.cause = undefined));
  }
}

const LOGS = [
  ["stdout", "standard output"],
  ["stderr", "standard error"],
] as const;

function exceeded(limit: LimitName, what: string): BackendCause {
  const hint = `if the job needs this, raise the limit with --limit ${limitFlag(limit)}=N`;
  return { code: "LIMIT_EXCEEDED", message: `the job ${what} (limit ${limitFlag(limit)})`, hint };
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}

export const guardedMachine: GuardedMachine = {
  fileBytes: async (path) => (await lstat(path).catch(undefinedIfMissing))?.size ?? 0,
  folderBytes: async (path) => {
    let bytes = 0;
    for await (const entry of walkTree(path)) bytes += bytesOnDisk(entry);
    return bytes;
  },
  disk: async (path) => {
    const { bavail, bsize, blocks } = await statfs(path);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  },
};
