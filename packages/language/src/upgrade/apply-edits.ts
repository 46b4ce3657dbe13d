/** Replaces the characters from `offset` to `end`. */
export interface Edit {
  readonly offset: number;
  readonly end: number;
  readonly text: string;
}

/** The text after all edits, which must not overlap. An insertion comes before an edit that starts at the same offset. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const edit of inOrder(edits)) {
    parts.push(text.slice(done, edit.offset), edit.text);
    done = edit.end;
  }
  return parts.join("") + text.slice(done);
}

/** The first edit that overlaps the one before it. */
export function findOverlap(edits: readonly Edit[]): Edit | undefined {
  const ordered = inOrder(edits);
  return ordered.find((edit, index) => edit.offset < (ordered[index - 1]?.end ?? 0));
}

function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return edits.toSorted((a, b) => a.offset - b.offset || a.end - b.end);
}
