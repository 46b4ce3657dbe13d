import type { JobSelector, Launch } from "../executor.ts";
import { jobName } from "../job-marker.ts";
import type { KernelGroups } from "../kill/end-processes.ts";
import type { FoundProcess } from "../kill/job-processes.ts";
import type { CgroupFiles } from "./cgroup-files.ts";

type Attempt = Pick<Launch, "runId" | "jobId" | "attempt">;

/** The kernel's counters of a group; null if it does not count. */
export interface GroupMemory {
  /** Peak of the charged memory, including cached files. */
  readonly peakBytes: number | null;
  /** Processes killed for lack of memory. */
  readonly oomKills: number;
}

export interface JobCgroupsOptions {
  /** Absolute path of the group that contains one group per attempt. */
  readonly folder: string;
  /** True if the kernel counts and limits memory in the groups. */
  readonly countsMemory: boolean;
  /** True if the kernel limits the number of processes in the groups. */
  readonly countsProcesses: boolean;
  readonly files: CgroupFiles;
}

interface GroupLimits {
  /** The maximum memory in bytes; undefined for no limit. */
  readonly ramBytes: number | undefined;
  readonly processes: number;
}

/**
 * One control group (version 2) per attempt. The program enters it before it starts, its descendants are born in it,
 * and none can leave without write access to the group's files. So one write kills all of them, and the kernel reports
 * when none is left. The wrapper stays outside to record the exit.
 */
export class JobCgroups implements KernelGroups {
  readonly countsMemory: boolean;
  readonly countsProcesses: boolean;
  readonly #folder: string;
  readonly #files: CgroupFiles;
  /** Groups of ended jobs that still contain processes. */
  readonly #inUse = new Set<string>();
  /** Paths of empty groups that are being removed. */
  readonly #leaving = new Set<string>();

  constructor({ folder, countsMemory, countsProcesses, files }: JobCgroupsOptions) {
    this.#folder = folder;
    this.countsMemory = countsMemory;
    this.countsProcesses = countsProcesses;
    this.#files = files;
  }

  /**
   * Creates the group of an attempt, and returns the file to which its program writes; undefined if it cannot be
   * created.
   */
  create(attempt: Attempt, { ramBytes, processes }: GroupLimits): string | undefined {
    const group = this.#groupOf(attempt);
    if (!this.#files.make(group)) return undefined;
    if (this.countsMemory && ramBytes !== undefined) this.#limitMemory(group, ramBytes);
    if (this.countsProcesses) this.#files.write(`${group}/pids.max`, String(processes));
    return `${group}/cgroup.procs`;
  }

  memoryOf(attempt: Attempt): GroupMemory {
    const group = this.#groupOf(attempt);
    const peak = this.countsMemory ? this.#files.read(`${group}/memory.peak`) : undefined;
    const events = this.countsMemory ? this.#files.read(`${group}/memory.events`) : undefined;
    return {
      peakBytes: peak === undefined ? null : Number(peak),
      oomKills: Number(/^oom_kill (\d+)$/m.exec(events ?? "")?.[1] ?? 0),
    };
  }

  /** Removes the group of an attempt in another thread, or once its last process has ended. */
  remove(attempt: Attempt): void {
    const group = this.#groupOf(attempt);
    const events = this.#files.read(`${group}/cgroup.events`);
    if (events === undefined) return;
    if (!isUnpopulated(events)) {
      this.#inUse.add(group);
      return;
    }
    void this.#removeLater(group);
  }

  /** Removes all empty groups of a run or an attempt. */
  clear(place: JobSelector): void {
    for (const group of this.#groupsOf(place)) this.#removeGroup(group);
  }

  /** True if the group of an ended attempt still contains processes. */
  isInUse(attempt: Attempt): boolean {
    const group = this.#groupOf(attempt);
    if (this.#inUse.has(group)) this.#removeGroup(group);
    return this.#inUse.has(group);
  }

  /** Removes groups that have become empty. */
  sweep(): void {
    for (const group of this.#inUse) this.#removeGroup(group);
  }

  /** Removes all empty groups, which an earlier server may have left. */
  sweepAll(): void {
    for (const name of this.#files.list(this.#folder)) this.#files.remove(`${this.#folder}/${name}`);
  }

  /** Stops tracking the groups; those with running jobs stay for the next server. */
  close(): void {
    for (const group of this.#leaving) this.#removeGroup(group);
    this.#leaving.clear();
    this.sweep();
    this.#files.remove(this.#folder);
  }

  has(place: JobSelector): boolean {
    return this.#groupsOf(place).length > 0;
  }

  find(place: JobSelector): readonly FoundProcess[] {
    return this.#groupsOf(place).flatMap((group) => {
      const job = jobOf(group);
      const pids = (this.#files.read(`${group}/cgroup.procs`) ?? "").split("\n").map(Number);
      // 0 is a process outside this process namespace.
      return pids.filter((pid) => pid > 0).map((pid) => ({ pid, job }));
    });
  }

  kill(place: JobSelector): void {
    for (const group of this.#groupsOf(place)) this.#files.write(`${group}/cgroup.kill`, "1");
  }

  isEmpty(place: JobSelector): boolean {
    return this.#groupsOf(place).every((group) => {
      const events = this.#files.read(`${group}/cgroup.events`);
      return events === undefined || isUnpopulated(events);
    });
  }

  /** All processes of a job end together, because the rest is useless once the limit has killed some of them. */
  #limitMemory(group: string, bytes: number): void {
    this.#files.write(`${group}/memory.max`, String(bytes));
    this.#files.write(`${group}/memory.oom.group`, "1");
  }

  async #removeLater(group: string): Promise<void> {
    this.#leaving.add(group);
    const isRemoved = await this.#files.removeLater(group);
    if (this.#leaving.delete(group) && !isRemoved) this.#removeGroup(group);
  }

  #removeGroup(group: string): void {
    if (this.#files.remove(group) || this.#files.read(`${group}/cgroup.events`) === undefined)
      this.#inUse.delete(group);
    else this.#inUse.add(group);
  }

  #groupOf({ runId, ...attempt }: Attempt): string {
    return `${this.#folder}/${runId}.${jobName(attempt).replace("/", "@")}`;
  }

  #groupsOf({ runId, job }: JobSelector): readonly string[] {
    const names = this.#files.list(this.#folder);
    const wanted = job === undefined ? undefined : this.#groupOf({ runId, ...job });
    return names
      .filter((name) => name.startsWith(`${runId}.`))
      .map((name) => `${this.#folder}/${name}`)
      .filter((group) => wanted === undefined || group === wanted);
  }
}

function isUnpopulated(events: string): boolean {
  return /^populated 0$/m.test(events);
}

/** `…/<run>.<job>@<attempt>` → `<job>/<attempt>`. Run ids contain no full stop. */
function jobOf(group: string): string {
  const name = group.slice(group.lastIndexOf("/") + 1);
  return name.slice(name.indexOf(".") + 1).replace(/@(\d+)$/, "/$1");
}
