import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { ContentDigest } from "./content-digest.ts";

interface Question {
  readonly path: string;
  readonly resolve: (digest: ContentDigest) => void;
  readonly reject: (error: Error) => void;
}

export type HashAnswer = { readonly digest: ContentDigest } | { readonly message: string };

const WORKERS = Math.max(1, Math.min(4, availableParallelism() - 1));

/** Worker threads that hash large files, started with the first one; they never keep the process alive. */
export class HashPool {
  readonly #idle: Worker[] = [];
  readonly #waiting: Question[] = [];
  #count = 0;

  hash(path: string): Promise<ContentDigest> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ path, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    const worker = this.#idle.pop() ?? this.#grow();
    if (worker === undefined) return;
    const question = this.#waiting.shift();
    if (question === undefined) this.#idle.push(worker);
    else this.#ask(worker, question);
  }

  #grow(): Worker | undefined {
    if (this.#count >= WORKERS || this.#waiting.length === 0) return undefined;
    this.#count += 1;
    return new Worker(new URL("./hash-worker.ts", import.meta.url));
  }

  #ask(worker: Worker, question: Question): void {
    const settle = (act: () => void) => {
      worker.off("error", crashed).off("message", onMessage);
      act();
      this.#next();
    };
    const crashed = (error: Error) =>
      settle(() => {
        this.#count -= 1;
        question.reject(error);
      });
    // Node's watch mode also sends messages through a worker's port.
    const onMessage = (answer: HashAnswer | object) => {
      if ("digest" in answer) settle(() => this.#answer(worker, () => question.resolve(answer.digest)));
      else if ("message" in answer)
        settle(() => this.#answer(worker, () => question.reject(new Error(answer.message))));
    };
    worker.ref();
    worker.on("error", crashed);
    worker.on("message", onMessage);
    worker.postMessage(question.path);
  }

  #answer(worker: Worker, tell: () => void): void {
    worker.unref();
    this.#idle.push(worker);
    tell();
  }
}
