/** The candidate that a mistyped word most likely means, undefined where none is near. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.min(Math.max(1, Math.floor(word.length / 3)), word.length - 1) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** More candidates than this are no help in a message. */
const MAX_LISTED = 20;

/** `did you mean …?` for a near candidate, else the list of what may stand there. */
export function suggestionHint(word: string, candidates: readonly string[]): string | undefined {
  const near = suggest(word, candidates);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  if (candidates.length === 0 || candidates.length > MAX_LISTED) return undefined;
  return candidates.length === 1 ? `expected \`${candidates[0]}\`` : `expected one of ${candidates.join(", ")}`;
}

/** Levenshtein's distance with swapped neighbours as one edit; gives up early once `limit` is reached. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = nextRow({ left, right, row, previous, beforePrevious });
    [beforePrevious, previous] = [previous, current];
  }
  return previous[right.length] ?? limit;
}

interface Rows {
  readonly left: string;
  readonly right: string;
  readonly row: number;
  readonly previous: readonly number[];
  readonly beforePrevious: readonly number[];
}

function nextRow({ left, right, row, previous, beforePrevious }: Rows): number[] {
  const current = [row];
  for (let column = 1; column <= right.length; column++) {
    const change = left[row - 1] === right[column - 1] ? 0 : 1;
    const swapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
    current.push(
      Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + change,
        swapped ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity,
      ),
    );
  }
  return current;
}
