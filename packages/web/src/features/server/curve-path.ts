/** Consecutive known values, with the index of the first. */
interface Stretch {
  readonly start: number;
  readonly values: readonly number[];
}

/**
 * The SVG path of a curve in a box of 100 × 100, with 0 at the bottom and `top` at the top. Unknown values leave gaps.
 * `filled`: closes the path along the bottom.
 */
export function curvePath(values: readonly (number | null)[], top: number, filled: boolean): string {
  const x = (index: number) => rounded((index / Math.max(1, values.length - 1)) * 100);
  const y = (value: number) => rounded(100 - Math.min(1, Math.max(0, value / top)) * 100);
  return stretchesOf(values)
    .map(({ start, values: known }) => {
      const line = known.map((value, index) => `${x(start + index)} ${y(value)}`).join("L");
      return filled ? `M${x(start)} 100L${line}L${x(start + known.length - 1)} 100Z` : `M${line}`;
    })
    .join("");
}

function stretchesOf(values: readonly (number | null)[]): readonly Stretch[] {
  const stretches: { start: number; values: number[] }[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const last = stretches.at(-1);
    if (last !== undefined && last.start + last.values.length === index) last.values.push(value);
    else stretches.push({ start: index, values: [value] });
  }
  return stretches;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The top of the scale: the capacity, or the next round number above the largest value. */
export function scaleTop(values: readonly (number | null)[], capacity: number | undefined): number {
  const most = values.reduce<number>((top, value) => Math.max(top, value ?? 0), 0);
  if (capacity !== undefined && capacity >= most) return capacity;
  if (most <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= most) ?? most;
}
