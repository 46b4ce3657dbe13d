/** Lets so many requests go on at once; the others wait, first come first served. */
export class RequestLanes {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(lanes: number) {
    this.#free = lanes;
  }

  /** Ends as the request does. */
  async run<Value>(request: () => Promise<Value>): Promise<Value> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await request();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
