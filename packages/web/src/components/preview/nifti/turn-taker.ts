interface Waiting {
  readonly begin: () => void;
}

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
