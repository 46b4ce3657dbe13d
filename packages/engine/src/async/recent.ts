/** Values by key, of a limited total size. The least recently used ones are forgotten first. */
export class Recent<Value> {
  readonly #most: number;
  readonly #sizeOf: (value: Value) => number;
  /** In the order of their last use. */
  readonly #values = new Map<string, Value>();
  #size = 0;

  /** `most`: the maximum number of values, or the sum of their sizes. */
  constructor(most: number, sizeOf: (value: Value) => number = () => 1) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: Value): Value {
    this.forget(key);
    this.#values.set(key, value);
    this.#size += this.#sizeOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#most) break;
      this.forget(oldest);
    }
    return value;
  }

  forget(key: string): void {
    const value = this.#values.get(key);
    if (value !== undefined) this.#size -= this.#sizeOf(value);
    this.#values.delete(key);
  }
}
