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
  const a = left.slice(0, LONGEST_COMPARED).toLowerCase();
  const b = right.slice(0, LONGEST_COMPARED).toLowerCase();
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, charA] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, charB] of [...b].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (charA === charB ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
