import { diff3Merge } from "node-diff3";

/** The lines that both sides changed since their common text. */
export interface MergedTexts {
  readonly text: string;
  readonly conflicts: number;
}

/** Merges two texts that began as `base`, line by line. Where both changed the same lines, `mine` wins and counts as a conflict. */
export function mergeTexts(base: string, mine: string, theirs: string): MergedTexts {
  const parts = diff3Merge(mine.split("\n"), base.split("\n"), theirs.split("\n"), { excludeFalseConflicts: true });
  let conflicts = 0;
  const lines = parts.flatMap(({ ok, conflict }) => {
    if (conflict !== undefined) conflicts += 1;
    return ok ?? conflict?.a ?? [];
  });
  return { text: lines.join("\n"), conflicts };
}
