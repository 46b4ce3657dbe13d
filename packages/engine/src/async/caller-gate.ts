/**
 * Lets a limited number through at a time, but only one per caller, so that one caller's long work does not delay
 * others. Callers take turns in order of arrival.
 */
export class CallerGate {
  readonly #width: number;
  readonly #busy = new Set<string>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(width: number) {
    this.#width = width;
  }

  async pass<Value>(caller: string, act: () => Promise<Value>): Promise<Value> {
    await this.#enter(caller);
    try {
      return await act();
    } finally {
      this.#busy.delete(caller);
      this.#admit();
    }
  }

  #enter(caller: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const line = this.#waiting.get(caller);
    if (line === undefined) this.#waiting.set(caller, [resolve]);
    else line.push(resolve);
    this.#admit();
    return promise;
  }

  #admit(): void {
    for (const [caller, line] of this.#waiting) {
      if (this.#busy.size >= this.#width) return;
      if (this.#busy.has(caller)) continue;
      const next = line.shift();
      // The caller's next turn comes after all callers who are waiting now.
      this.#waiting.delete(caller);
      if (line.length > 0) this.#waiting.set(caller, line);
      this.#busy.add(caller);
      next?.();
    }
  }
}
