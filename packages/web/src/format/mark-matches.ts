import type { TextRun } from "./parse-ansi.ts";

export interface MarkedRun extends TextRun {
  /** Part of a searched text. */
  readonly isMatch: boolean;
}

/** Splits styled spans at the matches of a text, ignoring case; a match may cross spans. */
export function markMatches(runs: readonly TextRun[], q: string): readonly MarkedRun[] {
  const wanted = q.toLowerCase();
  const line = runs.map(({ text }) => text).join("");
  const plain = line.toLowerCase();
  // Letters whose lower case has a different length would shift the positions.
  if (wanted === "" || plain.length !== line.length) return runs.map((run) => ({ ...run, isMatch: false }));
  const marked: MarkedRun[] = [];
  let match = plain.indexOf(wanted);
  let start = 0;
  for (const { text, styles } of runs) {
    const end = start + text.length;
    for (let at = start; at < end;) {
      while (match >= 0 && match + wanted.length <= at) match = plain.indexOf(wanted, match + wanted.length);
      const isMatch = match >= 0 && match <= at;
      const next = Math.min(end, match < 0 ? end : isMatch ? match + wanted.length : match);
      marked.push({ text: line.slice(at, next), styles, isMatch });
      at = next;
    }
    start = end;
  }
  return marked;
}
