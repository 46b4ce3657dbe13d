/** A line that stands in both texts, or in one of them; numbers count from 1. */
export type DiffLine =
  | { readonly kind: "same"; readonly text: string; readonly before: number; readonly after: number }
  | { readonly kind: "removed"; readonly text: string; readonly before: number }
  | { readonly kind: "added"; readonly text: string; readonly after: number };

/** More changes than this are another text, not another version. */
const MAX_CHANGES = 2000;

/**
 * The shortest way from one text to another in lines (Myers, 1986: the greedy walk along diagonals). Undefined where it
 * has more than 2,000 changes. Costs lines times changes at most.
 */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] | undefined {
  const start = commonStart(before, after);
  const end = commonEnd(before.slice(start), after.slice(start));
  const [from, to] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const trace = walk(from, to);
  if (trace === undefined) return undefined;
  return [
    ...sameLines(before, { count: start, before: 0, after: 0 }),
    ...backtrack(trace, from, to).map((line) => shifted(line, start)),
    ...sameLines(before, { count: end, before: before.length - end, after: after.length - end }),
  ];
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((line, n) => line !== b[n]);
  return at < 0 ? a.length : at;
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

interface Run {
  readonly count: number;
  readonly before: number;
  readonly after: number;
}

function sameLines(text: readonly string[], { count, before, after }: Run): readonly DiffLine[] {
  return text.slice(before, before + count).map((line, n) => ({
    kind: "same",
    text: line,
    before: before + n + 1,
    after: after + n + 1,
  }));
}

function shifted(line: DiffLine, by: number): DiffLine {
  switch (line.kind) {
    case "same":
      return { ...line, before: line.before + by, after: line.after + by };
    case "removed":
      return { ...line, before: line.before + by };
    case "added":
      return { ...line, after: line.after + by };
  }
}

/** How far each diagonal (x - y) came after 0, 1, 2 … changes, as far as the end. */
function walk(a: readonly string[], b: readonly string[]): readonly ReadonlyMap<number, number>[] | undefined {
  const trace: ReadonlyMap<number, number>[] = [];
  let reach: ReadonlyMap<number, number> = new Map([[1, 0]]);
  for (let changes = 0; changes <= MAX_CHANGES; changes += 1) {
    trace.push(reach);
    const next = new Map<number, number>();
    for (let k = -changes; k <= changes; k += 2) {
      let x = isDown(reach, k, changes) ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return trace;
    }
    reach = next;
  }
  return undefined;
}

/** Whether the best way onto a diagonal adds a line instead of removing one. */
function isDown(reach: ReadonlyMap<number, number>, k: number, changes: number): boolean {
  return k === -changes || (k !== changes && (reach.get(k - 1) ?? 0) < (reach.get(k + 1) ?? 0));
}

function backtrack(
  trace: readonly ReadonlyMap<number, number>[],
  a: readonly string[],
  b: readonly string[],
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (const [changes, reach] of [...trace.entries()].toReversed()) {
    const k = x - y;
    const from = isDown(reach, k, changes) ? k + 1 : k - 1;
    const fromX = changes === 0 ? 0 : (reach.get(from) ?? 0);
    const fromY = changes === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY && a[x - 1] === b[y - 1] && x - y !== from) {
      lines.push({ kind: "same", text: a[x - 1] ?? "", before: x, after: y });
      [x, y] = [x - 1, y - 1];
    }
    if (changes === 0) break;
    if (x > fromX) lines.push({ kind: "removed", text: a[x - 1] ?? "", before: x });
    else lines.push({ kind: "added", text: b[y - 1] ?? "", after: y });
    [x, y] = [fromX, fromY];
  }
  return lines.toReversed();
}
