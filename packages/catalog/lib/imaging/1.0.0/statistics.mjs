// Describing a list of numbers. The standard deviation is the sample's (divisor n - 1).

/** `{n, mean, sd, min, median, max}`; null where a list is too short to have the figure. */
export function describe(numbers) {
  const n = numbers.length;
  if (n === 0) return { n, mean: null, sd: null, min: null, median: null, max: null };
  const sorted = Float64Array.from(numbers).sort();
  const mean = sorted.reduce((sum, number) => sum + number, 0) / n;
  const squares = sorted.reduce((sum, number) => sum + (number - mean) ** 2, 0);
  return {
    n,
    mean,
    sd: n < 2 ? null : Math.sqrt(squares / (n - 1)),
    min: sorted[0],
    median: (sorted[(n - 1) >> 1] + sorted[n >> 1]) / 2,
    max: sorted[n - 1],
  };
}
