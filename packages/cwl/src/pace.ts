const STEPS = 256;

/** Splits long work over a large value into slices: yields to other work after every 256 steps. */
export class Pace {
  readonly #giveWay: () => Promise<void>;
  #steps = 0;

  constructor(giveWay: () => Promise<void>) {
    this.#giveWay = giveWay;
  }

  /** Call it once for each list, object and File. Undefined, so nothing to wait for, unless a slice has ended. */
  step(): Promise<void> | undefined {
    return ++this.#steps % STEPS === 0 ? this.#giveWay() : undefined;
  }

  /** Call it between two passes: yields if there was more than one slice of work since. */
  async end(): Promise<void> {
    if (this.#steps < STEPS) return;
    this.#steps = 0;
    await this.#giveWay();
  }
}

/** For work that cannot be large. */
export function unpaced(): Pace {
  return new Pace(async () => {});
}
