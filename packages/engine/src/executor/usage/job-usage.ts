import { textOf } from "../process-files.ts";
import type { JobCgroups } from "../cgroup/job-cgroups.ts";
import type { JobEvidence, Launch, UsedResources } from "../executor.ts";
import type { RecordedExit } from "../job-record-text.ts";
import type { TreeUse, TreeUses } from "./tree-use.ts";

interface Watched {
  /** Process id of the wrapper. */
  readonly pid: number;
  /** The count before the job; undefined if an earlier server started the job. */
  readonly oomKillsBefore: number | undefined;
}

export interface UsageSources {
  readonly sampler: UseSampler;
  readonly oom: OomCount;
  readonly cgroups: JobCgroups | undefined;
}

/** Measures jobs during and after their execution. */
export class JobUsage {
  readonly #sources: UsageSources;
  readonly #watched = new Map<Launch, Watched>();

  constructor(sources: UsageSources) {
    this.#sources = sources;
  }

  /** The job's wrapper has started. */
  watch(launch: Launch, pid: number, isAdopted: boolean): void {
    const oomKillsBefore = isAdopted ? undefined : this.#sources.oom.recent();
    this.#watched.set(launch, { pid, oomKillsBefore });
    this.#sources.sampler.watch(pid);
  }

  /** The job's program has ended with this record; stops watching it. */
  end(launch: Launch, exit: RecordedExit | undefined): JobEvidence {
    const watched = this.#watched.get(launch);
    this.#watched.delete(launch);
    const sampled = watched === undefined ? null : this.#sources.sampler.take(watched.pid);
    const peaks = [sampled, exit?.peakBytes ?? null].filter((bytes) => bytes !== null);
    const seen = peaks.length === 0 ? null : Math.max(...peaks);
    const inGroup = this.#sources.cgroups?.memoryOf(launch);
    const used: UsedResources = {
      cpuMs: exit?.cpuMs ?? null,
      ioReadBytes: exit?.ioReadBytes ?? null,
      ioWriteBytes: exit?.ioWriteBytes ?? null,
      maxRssBytes: seen ?? inGroup?.peakBytes ?? null,
      memorySource: seen !== null ? "sampled" : inGroup?.peakBytes == null ? null : "cgroup",
    };
    if (inGroup !== undefined && inGroup.oomKills > 0)
      return { used, oom: { source: "cgroup", kills: inGroup.oomKills } };
    // If the kernel counts kills in the job's group, it has counted none.
    if (exit === undefined || exit.exitCode === 0 || this.#sources.cgroups?.countsMemory === true) return { used };
    const kills = this.#sources.oom.since(watched?.oomKillsBefore);
    return kills > 0 ? { used, oom: { source: "machine", kills } } : { used };
  }
}

const KEPT_MS = 250;

/**
 * The kernel's count of processes killed for lack of memory, on the whole machine and in every control group. Unlike
 * the kernel's log, any account may read it. A job that was killed by signal 9 while the count grew very likely ran out of
 * memory.
 */
export class OomCount {
  readonly #read: () => number | undefined;
  readonly #now: () => number;
  #kept: { readonly count: number | undefined; readonly atMs: number } | undefined;

  constructor(read = readOomKills, now: () => number = () => performance.now()) {
    this.#read = read;
    this.#now = now;
  }

  /** The count, at most a quarter of a second old, so that starting many jobs costs few reads. */
  recent(): number | undefined {
    const now = this.#now();
    if (this.#kept === undefined || now - this.#kept.atMs > KEPT_MS) this.#kept = { count: this.#read(), atMs: now };
    return this.#kept.count;
  }

  /** The number of processes killed since the count was `before`; 0 if the count is unavailable. */
  since(before: number | undefined): number {
    const count = before === undefined ? undefined : this.#read();
    return before === undefined || count === undefined ? 0 : count - before;
  }
}

function readOomKills(): number | undefined {
  const count = /^oom_kill (\d+)$/m.exec(textOf("/proc/vmstat"))?.[1];
  return count === undefined ? undefined : Number(count);
}

const FIRST_MS = 100;
const LONGEST_MS = 2000;

interface Sampled {
  readonly sinceMs: number;
  dueMs: number;
  peakBytes: number | null;
}

export interface SamplerOptions {
  /** Measures the processes below each root. */
  readonly measure: (roots: readonly number[]) => Promise<TreeUses>;
  /** Called with each sample of a watched root. */
  readonly onSample?: (root: number, use: TreeUse) => void;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

/**
 * Samples the memory of jobs: soon after their start, then at intervals that grow to two seconds. The kernel keeps each
 * process's peak of memory, so rare samples miss little. Jobs shorter than a tenth of a second cost nothing and are not
 * measured.
 */
export class UseSampler {
  readonly #options: SamplerOptions;
  readonly #roots = new Map<number, Sampled>();
  #isAsking = false;

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  watch(root: number): void {
    const sinceMs = this.#options.now();
    this.#roots.set(root, { sinceMs, dueMs: sinceMs + FIRST_MS, peakBytes: null });
  }

  /** Stops sampling and returns the maximum of memory, in bytes; null if there was no sample. */
  take(root: number): number | null {
    const sampled = this.#roots.get(root);
    this.#roots.delete(root);
    return sampled?.peakBytes ?? null;
  }

  /** Call it often: takes the samples that are due, unless the last sample is still in progress. */
  async look(): Promise<void> {
    const now = this.#options.now();
    const due = [...this.#roots].filter(([, { dueMs }]) => dueMs <= now);
    if (due.length === 0 || this.#isAsking) return;
    this.#isAsking = true;
    for (const [, sampled] of due) sampled.dueMs = now + Math.min(LONGEST_MS, now - sampled.sinceMs);
    try {
      this.#keep(await this.#options.measure(due.map(([root]) => root)));
    } finally {
      this.#isAsking = false;
    }
  }

  #keep(uses: TreeUses): void {
    for (const [root, use] of uses) {
      const sampled = this.#roots.get(root);
      if (sampled === undefined) continue;
      if (use.bytes > 0) sampled.peakBytes = Math.max(sampled.peakBytes ?? 0, use.bytes);
      this.#options.onSample?.(root, use);
    }
  }
}
