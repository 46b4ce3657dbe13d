export interface RefetchSchedulerOptions<Key> {
  /** Resolves when the answer is in the cache; never rejects. */
  readonly refetch: (key: Key) => Promise<void>;
  readonly schedule: (delayMs: number, run: () => void) => void;
  readonly intervalMs: number;
}

/**
 * Reads a query again at most once per interval: at once, then again at the end. Two reads of one query never
 * overlap, so a slow server is not asked faster than it answers.
 */
export class RefetchScheduler<Key> {
  readonly #options: RefetchSchedulerOptions<Key>;
  /** Keys that were read within the last interval; true: requested again meanwhile. */
  readonly #resting = new Map<string, boolean>();

  constructor(options: RefetchSchedulerOptions<Key>) {
    this.#options = options;
  }

  request(key: Key): void {
    const name = JSON.stringify(key);
    if (this.#resting.has(name)) this.#resting.set(name, true);
    else void this.#read(name, key);
  }

  async #read(name: string, key: Key): Promise<void> {
    this.#resting.set(name, false);
    await this.#options.refetch(key);
    this.#options.schedule(this.#options.intervalMs, () => this.#rested(name, key));
  }

  #rested(name: string, key: Key): void {
    const again = this.#resting.get(name) === true;
    this.#resting.delete(name);
    if (again) void this.#read(name, key);
  }
}
