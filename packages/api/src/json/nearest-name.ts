import { distance } from "fastest-levenshtein";

/** The known name that `name` was probably meant to be: at most a third of its letters differ. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const ranked = known.map((candidate) => ({ candidate, distance: editDistance(name, candidate) }));
  const [best] = ranked.toSorted((a, b) => a.distance - b.distance);
  if (best === undefined) return undefined;
  const tolerance = Math.floor(Math.min(name.length, best.candidate.length) / 3);
  return best.distance <= tolerance ? best.candidate : undefined;
}

const LONGEST_COMPARED = 64;

/** Levenshtein distance of the first 64 letters, ignoring case. */
function editDistance(left: string, right: string): number {
  return distance(compared(left), compared(right));
}

function compared(text: string): string {
  return text.slice(0, LONGEST_COMPARED).toLowerCase();
}
