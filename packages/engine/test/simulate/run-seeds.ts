import { Worker } from "node:worker_threads";
import type { Shrunk } from "./shrink.ts";

export type SeedRequest =
  | {
      readonly from: number;
      readonly count: number;
      readonly suppressed?: readonly string[];
      /** Stops at the first broken promise. Absent: no. */
      readonly stopsEarly?: boolean;
    }
  | { readonly shrink: number };

/** A seed whose world broke a promise. */
export interface BrokenSeed {
  readonly seed: number;
  readonly invariant: string;
  readonly message: string;
}

export type SeedAnswer =
  | { readonly from: number; readonly count: number; readonly broken: readonly BrokenSeed[] }
  | { readonly shrunk: Shrunk }
  | { readonly error: string };

export interface SeedsWanted {
  readonly from: number;
  readonly count: number;
  /** Number of threads. */
  readonly threads: number;
  /** Faults that are left out. Absent: none. */
  readonly suppressed?: readonly string[];
  /** Absent: as long as it takes. */
  readonly untilMs?: number;
  /** Stops at the first broken promise. */
  readonly stopsEarly?: boolean;
  /** The worker of another copy of the sources. */
  readonly worker?: URL;
}

export interface SeedsReport {
  readonly seeds: number;
  readonly broken: readonly BrokenSeed[];
}

const AT_ONCE = 100;

/** Lives through the worlds of many seeds, in several threads. */
export async function runSeeds(wanted: SeedsWanted): Promise<SeedsReport> {
  const { from, count, threads, suppressed = [], untilMs = Infinity, stopsEarly = false } = wanted;
  const broken: BrokenSeed[] = [];
  let [next, seeds] = [from, 0];
  const isOver = () => next >= from + count || Date.now() > untilMs || (stopsEarly && broken.length > 0);
  const work = async () => {
    using worker = new SeedWorker(wanted.worker);
    while (!isOver()) {
      const batch = { from: next, count: Math.min(AT_ONCE, from + count - next), suppressed, stopsEarly };
      next += batch.count;
      const answer = await worker.ask(batch);
      if (!("broken" in answer)) continue;
      seeds += answer.count;
      broken.push(...answer.broken);
    }
  };
  await Promise.all(Array.from({ length: threads }, work));
  return { seeds, broken: broken.toSorted((one, other) => one.seed - other.seed) };
}

/** The shortest history found for a seed. */
export async function shrinkSeed(seed: number): Promise<Shrunk> {
  using worker = new SeedWorker();
  const answer = await worker.ask({ shrink: seed });
  if ("shrunk" in answer) return answer.shrunk;
  throw new Error(`seed ${seed} could not be shrunk`);
}

/** A thread that lives through worlds. */
export class SeedWorker implements Disposable {
  readonly #worker: Worker;

  constructor(url = new URL("./seed-worker.ts", import.meta.url)) {
    this.#worker = new Worker(url);
  }

  /** Rejects if the simulation itself fails. */
  ask(request: SeedRequest): Promise<Exclude<SeedAnswer, { readonly error: string }>> {
    return new Promise((resolve, reject) => {
      const worker = this.#worker;
      worker.once("error", reject);
      worker.once("message", (answer: SeedAnswer) => {
        worker.off("error", reject);
        if ("error" in answer) reject(new Error(answer.error));
        else resolve(answer);
      });
      worker.postMessage(request);
    });
  }

  [Symbol.dispose](): void {
    void this.#worker.terminate();
  }
}
