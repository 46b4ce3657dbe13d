import { diffArrays } from "diff";

/** A line of both texts or one of them; line numbers start at 1. */
export type DiffLine =
  | { readonly kind: "same"; readonly text: string; readonly before: number; readonly after: number }
  | { readonly kind: "removed"; readonly text: string; readonly before: number }
  | { readonly kind: "added"; readonly text: string; readonly after: number };

/** Maximum number of changes; beyond it, the texts are unrelated. */
const MAX_CHANGES = 2000;

const AROUND = 3;

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

/** A line, or the number of unchanged lines omitted here. */
export type ShownLine = DiffLine | { readonly kind: "folded"; readonly count: number };

/** Omits unchanged lines that are more than three lines from a change. */
export function foldSameLines(lines: readonly DiffLine[]): readonly ShownLine[] {
  const near = new Set<number>();
  lines.forEach(({ kind }, at) => {
    if (kind === "same") return;
    for (let n = at - AROUND; n <= at + AROUND; n += 1) near.add(n);
  });
  const shown: ShownLine[] = [];
  for (const [at, line] of lines.entries()) {
    const last = shown.at(-1);
    if (near.has(at)) shown.push(line);
    else if (last?.kind === "folded") shown[shown.length - 1] = { kind: "folded", count: last.count + 1 };
    else shown.push({ kind: "folded", count: 1 });
  }
  return shown;
}
