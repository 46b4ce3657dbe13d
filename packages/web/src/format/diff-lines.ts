import { diffArrays } from "diff";

/** A line of both texts or one of them; line numbers start at 1. */
export type DiffLine =
  | { readonly kind: "same"; readonly text: string; readonly before: number; readonly after: number }
  | { readonly kind: "removed"; readonly text: string; readonly before: number }
  | { readonly kind: "added"; readonly text: string; readonly after: number };

/** Maximum number of changes; beyond it, the texts are unrelated. */
const MAX_CHANGES = 2000;

/** The shortest line diff of two texts; undefined if it has more than 2,000 changes. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] | undefined {
  const parts = diffArrays([...before], [...after], { maxEditLength: MAX_CHANGES });
  let [old, fresh] = [0, 0];
  return parts?.flatMap(({ value, removed, added }) =>
    value.map((text): DiffLine => {
      if (removed) return { kind: "removed", text, before: ++old };
      if (added) return { kind: "added", text, after: ++fresh };
      return { kind: "same", text, before: ++old, after: ++fresh };
    }),
  );
}
