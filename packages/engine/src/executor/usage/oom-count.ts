import { readFileSync } from "node:fs";

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

  /** How many processes were killed since the count was `before`; 0 if the count is unavailable. */
  since(before: number | undefined): number {
    const count = before === undefined ? undefined : this.#read();
    return before === undefined || count === undefined ? 0 : count - before;
  }
}

function readOomKills(): number | undefined {
  const text = readVmstat();
  const count = /^oom_kill (\d+)$/m.exec(text)?.[1];
  return count === undefined ? undefined : Number(count);
}

function readVmstat(): string {
  try {
    return readFileSync("/proc/vmstat", "latin1");
  } catch {
    return "";
  }
}
