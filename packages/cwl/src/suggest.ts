import { distance } from "fastest-levenshtein";

/** The candidate with the smallest edit distance to a mistyped word; undefined if none is similar. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.min(Math.max(1, Math.floor(word.length / 3)), word.length - 1) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** The maximum number of candidates in a message. */
const MAX_LISTED = 20;

/** The hint `did you mean …?` for a similar candidate, otherwise the list of allowed values. */
export function suggestionHint(word: string, candidates: readonly string[]): string | undefined {
  const near = suggest(word, candidates);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  if (candidates.length === 0 || candidates.length > MAX_LISTED) return undefined;
  return candidates.length === 1 ? `expected \`${candidates[0]}\`` : `expected one of ${candidates.join(", ")}`;
}

/** Levenshtein distance, with two swapped letters as one edit; `limit` if the lengths alone show that it is at least that. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  const edits = distance(left, right);
  return edits === 2 && isSwap(left, right) ? 1 : edits;
}

function isSwap(left: string, right: string): boolean {
  const at = [...left].findIndex((letter, index) => letter !== right[index]);
  return left === `${right.slice(0, at)}${right[at + 1]}${right[at]}${right.slice(at + 2)}`;
}
