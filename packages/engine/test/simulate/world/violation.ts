/** Something that must never happen has happened. */
export class Violation extends Error {
  /** The broken promise, in a few words that stay the same from seed to seed. */
  readonly invariant: string;

  constructor(invariant: string, message: string) {
    super(`${invariant}: ${message}`);
    this.invariant = invariant;
  }
}
