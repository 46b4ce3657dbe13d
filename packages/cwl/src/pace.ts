const STEPS = 256;

/** Splits long work over a large value into slices: yields to other work after every 256 steps. */
export class Pace {
  readonly #giveWay: () => Promise<void>;
  #steps = 0;

  constructor(giveWay: () => Promise<void>) {
    this.#giveWay = giveWay;
  }

  /** Call it once for each list, object and File. Returns a promise only at the end of a slice. */
  step(): Promise<void> | undefined {
    return ++this.#steps % STEPS === 0 ? this.#giveWay() : undefined;
  }

  /** Call it between two passes: yields if at least one slice of work was done since the last call. */
  async end(): Promise<void> {
    if (this.#steps < STEPS) return;
    this.#steps = 0;
    await this.#giveWay();
  }
}

/** A pace that never yields, for work that cannot be large. */
export function unpaced(): Pace {
  return new Pace(async () => {});
}
