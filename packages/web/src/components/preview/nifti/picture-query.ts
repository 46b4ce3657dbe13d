import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "@weft/shared/routes/client.ts";
import { type Remote, transfer, wrap } from "comlink";
import type { DrawPicture } from "./picture-worker.ts";
import type { Slice } from "./volume.ts";

/** Limits how many tasks run at a time. The latest request goes first, because it is visible now. */
export class TurnTaker {
  readonly #most: number;
  #busy = 0;
  readonly #waiting: Waiting[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Rejects with the reason of `signal` if it aborts before the task starts. */
  async take<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#busy -= 1;
      this.#waiting.pop()?.begin();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        begin: () => {
          this.#busy += 1;
          resolve();
        },
      };
      if (this.#busy < this.#most) return waiting.begin();
      this.#waiting.push(waiting);
      signal.addEventListener("abort", () => {
        const at = this.#waiting.indexOf(waiting);
        if (at < 0) return;
        this.#waiting.splice(at, 1);
        reject(signal.reason as Error); // an abort always has a reason
      });
    });
  }
}

/** Keeps hidden pictures for a moment, because users scroll back. */
const FORGET_MS = 15_000;

/** Maximum number drawn at a time, because each is in memory meanwhile. */
const turns = new TurnTaker(2);

/** The three planes of a NIfTI image as a small picture, drawn by a worker; null where it cannot be drawn. */
export function pictureQuery(url: string) {
  return queryOptions({
    queryKey: ["nifti-picture", url] as const,
    queryFn: ({ signal }) => turns.take(signal, () => draw(url, signal)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: FORGET_MS,
    structuralSharing: false,
  });
}

let worker: Remote<DrawPicture> | undefined;

/** The page reads and the worker draws: the worker's content security policy forbids it to fetch. */
async function draw(url: string, signal: AbortSignal): Promise<Slice | null> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new ApiError(response.status, undefined);
  const file = await response.arrayBuffer();
  worker ??= wrap<DrawPicture>(new Worker(new URL("./picture-worker.ts", import.meta.url), { type: "module" }));
  return worker(transfer(file, [file]));
}

interface Waiting {
  readonly begin: () => void;
}
