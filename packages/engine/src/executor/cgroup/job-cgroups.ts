import type { JobSelector, Launch } from "../executor.ts";
import { jobName } from "../job-marker.ts";
import type { KernelGroups } from "../kill/end-processes.ts";
import type { FoundProcess } from "../kill/job-processes.ts";
import type { CgroupFiles } from "./cgroup-files.ts";

type Attempt = Pick<Launch, "runId" | "jobId" | "attempt">;

/** What the kernel counted for a group; null where it does not count. */
export interface GroupMemory {
  /** The most memory that was charged at any time, cached files included. */
  readonly peakBytes: number | null;
  /** Processes that were ended for lack of memory. */
  readonly oomKills: number;
}

export interface JobCgroupsOptions {
  /** Absolute path of the group that holds one group per attempt. */
  readonly folder: string;
  /** The kernel counts and limits memory there. */
  readonly countsMemory: boolean;
  readonly files: CgroupFiles;
}

/**
 * A control group (second version) per attempt. The program enters it before it starts, its descendants are born in it, and
 * none leaves it without the right to write to the groups' files: so one write ends all of them, and the kernel tells when
 * none is left. The wrapper stays outside, to record the end.
 */
export class JobCgroups implements KernelGroups {
  readonly countsMemory: boolean;
  readonly #folder: string;
  readonly #files: CgroupFiles;
  /** Groups of ended jobs in which something goes on. */
  readonly #inUse = new Set<string>();
  /** Empty groups that are being removed. */
  readonly #leaving = new Set<string>();

  constructor({ folder, countsMemory, files }: JobCgroupsOptions) {
    this.#folder = folder;
    this.countsMemory = countsMemory;
    this.#files = files;
  }

  /** Makes the group of an attempt and answers the file to which its program writes; undefined where it cannot be made. */
  create(attempt: Attempt, ramLimitBytes: number | undefined): string | undefined {
    const group = this.#groupOf(attempt);
    if (!this.#files.make(group)) return undefined;
    if (this.countsMemory && ramLimitBytes !== undefined) this.#limit(group, ramLimitBytes);
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

  /** Takes away every group of a run or an attempt in which nothing goes on. */
  clear(place: JobSelector): void {
    for (const group of this.#groupsOf(place)) this.#removeGroup(group);
  }

  /** Whether something goes on in the group of an ended attempt. */
  isInUse(attempt: Attempt): boolean {
    const group = this.#groupOf(attempt);
    if (this.#inUse.has(group)) this.#removeGroup(group);
    return this.#inUse.has(group);
  }

  /** Takes away what has become empty meanwhile. */
  sweep(): void {
    for (const group of this.#inUse) this.#removeGroup(group);
  }

  /** Takes away everything that is empty, as an earlier server may have left it. */
  sweepAll(): void {
    for (const name of this.#files.list(this.#folder)) this.#files.remove(`${this.#folder}/${name}`);
  }

  /** Lets go of the groups; where jobs go on they stay for the next server. */
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
      // 0 stands for a process that cannot be named from here.
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

  /** All of a job end together: what is left of one that lost a part of itself to the limit is of no use. */
  #limit(group: string, bytes: number): void {
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

/** `…/<run>.<job>@<attempt>` → `<job>/<attempt>`. No run id holds a full stop. */
function jobOf(group: string): string {
  const name = group.slice(group.lastIndexOf("/") + 1);
  return name.slice(name.indexOf(".") + 1).replace(/@(\d+)$/, "/$1");
}
