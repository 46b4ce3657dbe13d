import type { StorageProblemListener } from "../journal.ts";
import type { StorageProblem } from "./storage-problem.ts";

/** Keeps the current problem of the log's disk and reports every change. */
export class StorageProblemWatch {
  readonly #listeners = new Set<StorageProblemListener>();
  #present: StorageProblem | undefined;
  #over = Promise.withResolvers<void>();

  constructor() {
    this.#over.resolve();
  }

  get present(): StorageProblem | undefined {
    return this.#present;
  }

  /** Resolves when there is no problem; never after a failure. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** A failure is permanent. */
  tell(storageProblem: StorageProblem | undefined, message: string): void {
    if (this.#present === "failed" || storageProblem === this.#present) return;
    if (this.#present === undefined) this.#over = Promise.withResolvers<void>();
    this.#present = storageProblem;
    if (storageProblem === undefined) this.#over.resolve();
    for (const listener of this.#listeners) listener(storageProblem, message);
  }

  listen(listener: StorageProblemListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
