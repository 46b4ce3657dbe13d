import { cpus, freemem, totalmem } from "node:os";
import type { ServerLoad } from "@weft/shared/records/operations-record.ts";
import type { Agent } from "../port/engine.ts";

const SAMPLE_MS = 30_000;
/** The samples of one day, which take 70 KB. */
const MAX_SAMPLES = 2880;

export interface HostSample {
  readonly timeMs: number;
  readonly busyCores: number;
  readonly ramBytes: number;
}

/** Processor time of all cores since the start of the machine, in milliseconds. */
export interface CpuTimes {
  readonly busyMs: number;
  readonly allMs: number;
  readonly cores: number;
}

/** Busy cores between two readings. */
export function busyCores(before: CpuTimes, now: CpuTimes): number {
  const allMs = now.allMs - before.allMs;
  return allMs <= 0 ? 0 : Math.min(now.cores, ((now.busyMs - before.busyMs) / allMs) * now.cores);
}

/** Samples the load of the whole machine, in memory, since the server started. */
export class HostLoad implements Agent {
  readonly #samples: HostSample[] = [];
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #cpu = readCpu();

  constructor(nowMs: () => number) {
    this.#now = nowMs;
  }

  begin(): void {
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS).unref();
  }

  /** One entry for each of `count` intervals from a time on; null for intervals without a sample. */
  averages(fromMs: number, intervalMs: number, count: number): ServerLoad["host"] {
    const groups = Map.groupBy(this.#samples, ({ timeMs }) => Math.floor((timeMs - fromMs) / intervalMs));
    return Array.from({ length: count }, (_, index) => averageOf(groups.get(index) ?? []));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const cpu = readCpu();
    const ramBytes = totalmem() - freemem();
    this.#samples.push({ timeMs: this.#now(), busyCores: busyCores(this.#cpu, cpu), ramBytes });
    this.#cpu = cpu;
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
  }
}

export function averageOf(samples: readonly HostSample[]): ServerLoad["host"][number] {
  if (samples.length === 0) return null;
  const mean = (value: (sample: HostSample) => number) =>
    samples.reduce((sum, sample) => sum + value(sample), 0) / samples.length;
  return {
    cores: Math.round(mean((sample) => sample.busyCores) * 100) / 100,
    ram_bytes: Math.round(mean((sample) => sample.ramBytes)),
  };
}

function readCpu(): CpuTimes {
  const all = cpus();
  const times = all.map(({ times: { user, nice, sys, irq, idle } }) => ({ busy: user + nice + sys + irq, idle }));
  const busyMs = times.reduce((sum, { busy }) => sum + busy, 0);
  return { busyMs, allMs: busyMs + times.reduce((sum, { idle }) => sum + idle, 0), cores: all.length };
}
