import { diffArrays } from "diff";

/** Two texts that began as one, merged. They differ where both changed the same lines. */
interface MergedTexts {
  readonly mine: string;
  readonly theirs: string;
  /** A later base of mine: their text, without their changes of those lines. */
  readonly base: string;
  readonly isConflict: boolean;
}

/** Merges two texts that began as `base`, line by line. Changes of neighboring lines count as changes of the same ones. */
export function mergeTexts(base: string, mine: string, theirs: string): MergedTexts {
  const [o, a, b] = [base.split("\n"), mine.split("\n"), theirs.split("\n")];
  const [inMine, inTheirs] = [placesOf(o, a), placesOf(o, b)];
  const parts: (readonly [own: readonly string[], other: readonly string[], before: readonly string[]])[] = [];
  let [at, atMine, atTheirs, isConflict] = [0, 0, 0, false];
  // A part begins with a line that all three texts have, and ends before the next one.
  for (let next = 0; next <= o.length; next++) {
    const [nextMine, nextTheirs] = next === o.length ? [a.length, b.length] : [inMine[next], inTheirs[next]];
    if (nextMine === undefined || nextTheirs === undefined) continue;
    const [before, own, other] = [o.slice(at, next), a.slice(atMine, nextMine), b.slice(atTheirs, nextTheirs)];
    if (isSame(own, before) || isSame(own, other)) parts.push([other, other, other]);
    else if (isSame(other, before)) parts.push([own, own, before]);
    else {
      isConflict = true;
      parts.push([own, other, before]);
    }
    [at, atMine, atTheirs] = [next, nextMine, nextTheirs];
  }
  const text = (version: 0 | 1 | 2): string => parts.flatMap((part) => part[version]).join("\n");
  return { mine: text(0), theirs: text(1), base: text(2), isConflict };
}

/** Texts with more changes have no common lines. */
const MAX_CHANGES = 2000;

/** The places of unchanged lines in a text, by their places in its base. */
function placesOf(base: readonly string[], text: readonly string[]): readonly (number | undefined)[] {
  const places: (number | undefined)[] = [];
  let place = 0;
  for (const { value, added, removed } of diffArrays([...base], [...text], { maxEditLength: MAX_CHANGES }) ?? [])
    if (added) place += value.length;
    else for (const _line of value) places.push(removed ? undefined : place++);
  return places;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
