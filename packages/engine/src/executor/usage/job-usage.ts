import type { JobCgroups } from "../cgroup/job-cgroups.ts";
import type { JobEvidence, Launch, UsedResources } from "../executor.ts";
import type { RecordedExit } from "../job-record-text.ts";
import type { UseSampler } from "./use-sampler.ts";
import type { OomCount } from "./oom-count.ts";

interface Watched {
  /** Process id of the wrapper. */
  readonly pid: number;
  /** Undefined for a job that an earlier server started. */
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

  /** Its wrapper has started. */
  watch(launch: Launch, pid: number, isAdopted: boolean): void {
    const oomKillsBefore = isAdopted ? undefined : this.#sources.oom.recent();
    this.#watched.set(launch, { pid, oomKillsBefore });
    this.#sources.sampler.watch(pid);
  }

  /** Its program has ended with this record; stops watching it. */
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
    // The kernel counted nothing in a group that it watches.
    if (exit === undefined || exit.exitCode === 0 || this.#sources.cgroups?.countsMemory === true) return { used };
    const kills = this.#sources.oom.since(watched?.oomKillsBefore);
    return kills > 0 ? { used, oom: { source: "machine", kills } } : { used };
  }
}
