/** The value that a share of all values does not exceed; `sorted` ascending, not empty. */
export function quantile(sorted: readonly number[], share: number): number {
  const index = Math.ceil(share * sorted.length) - 1;
  return sorted[Math.min(sorted.length - 1, Math.max(0, index))] ?? 0;
}

export function ascending(values: readonly number[]): readonly number[] {
  return values.toSorted((a, b) => a - b);
}
