import type { TroubleListener } from "../journal.ts";
import type { StorageTrouble } from "./storage-trouble.ts";

/** Keeps the current problem of the log's disk and reports every change. */
export class TroubleWatch {
  readonly #listeners = new Set<TroubleListener>();
  #present: StorageTrouble | undefined;
  #over = Promise.withResolvers<void>();

  constructor() {
    this.#over.resolve();
  }

  get present(): StorageTrouble | undefined {
    return this.#present;
  }

  /** Resolves when there is no problem; never after a failure. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** A failure is permanent. */
  tell(trouble: StorageTrouble | undefined, message: string): void {
    if (this.#present === "failed" || trouble === this.#present) return;
    if (this.#present === undefined) this.#over = Promise.withResolvers<void>();
    this.#present = trouble;
    if (trouble === undefined) this.#over.resolve();
    for (const listener of this.#listeners) listener(trouble, message);
  }

  listen(listener: TroubleListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
