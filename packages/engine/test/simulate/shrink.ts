import { simulateSeed, type Outcome } from "./simulate-seed.ts";

/** The shortest history found, and what was left out of the world to get it. */
export interface Shrunk {
  readonly outcome: Outcome;
  readonly suppressed: readonly string[];
}

const MOST_TRIALS = 200;

/**
 * Looks for a small world that breaks the same promise: leaves out half of all faults, runs and texts, then quarters, and
 * so on, as long as the promise stays broken.
 */
export async function shrink(found: Outcome): Promise<Shrunk> {
  let best: Shrunk = { outcome: found, suppressed: [] };
  let trials = 0;
  const isSame = (outcome: Outcome) => outcome.violation?.invariant === found.violation?.invariant;
  for (let size = Math.ceil(found.faults.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.outcome.faults.length && trials < MOST_TRIALS;) {
      const suppressed = [...best.suppressed, ...best.outcome.faults.slice(at, at + size)];
      trials += 1;
      const outcome = await simulateSeed(found.seed, new Set(suppressed));
      if (isSame(outcome)) best = { outcome, suppressed };
      else at += size;
    }
  }
  return best;
}
