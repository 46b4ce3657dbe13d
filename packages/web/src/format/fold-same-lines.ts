import type { DiffLine } from "./diff-lines.ts";

/** A line, or the number of unchanged lines omitted here. */
export type ShownLine = DiffLine | { readonly kind: "folded"; readonly count: number };

const AROUND = 3;

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
