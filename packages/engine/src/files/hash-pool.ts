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

/** Worker threads that hash large files, started when the first one comes; they never keep the process alive. */
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
    const crashed = (error: Error) => {
      this.#count -= 1;
      question.reject(error);
      this.#next();
    };
    worker.ref();
    worker.once("error", crashed);
    worker.once("message", (answer: HashAnswer) => {
      worker.off("error", crashed);
      worker.unref();
      this.#idle.push(worker);
      if ("digest" in answer) question.resolve(answer.digest);
      else question.reject(new Error(answer.message));
      this.#next();
    });
    worker.postMessage(question.path);
  }
}
