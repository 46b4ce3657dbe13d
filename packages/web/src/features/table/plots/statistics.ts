/** Statistics of a group of numbers. Quartiles are interpolated (type 7, as in R and NumPy). */
export interface Summary {
  readonly count: number;
  readonly mean: number;
  /** The deviation of a sample, divided by n − 1; 0 for one number. */
  readonly sd: number;
  readonly min: number;
  readonly q1: number;
  readonly median: number;
  readonly q3: number;
  readonly max: number;
  /** Numbers below or above these are outliers. */
  readonly fences: readonly [low: number, high: number];
}

/** The distance of outliers beyond the quartiles, in interquartile ranges (Tukey). */
const FENCE = 1.5;

/** A summary of numbers; undefined without numbers. */
export function summarize(numbers: readonly number[]): Summary | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) return undefined;
  const mean = sorted.reduce((sum, value) => sum + value / sorted.length, 0);
  const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const [q1, median, q3] = [quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)];
  const reach = FENCE * (q3 - q1);
  return {
    count: sorted.length,
    mean,
    sd: sorted.length > 1 ? Math.sqrt(squares / (sorted.length - 1)) : 0,
    min,
    q1,
    median,
    q3,
    max,
    fences: [q1 - reach, q3 + reach],
  };
}

/** Expects numbers in ascending order. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? 0;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}

export function isOutlier(value: number, { fences: [low, high] }: Summary): boolean {
  return value < low || value > high;
}

export interface Bin {
  readonly from: number;
  /** Exclusive, except for the last bin. */
  readonly to: number;
  /** Positions of the numbers in the list. */
  readonly members: readonly number[];
}

const MAX_BINS = 60;

/** Bins of equal, round widths, about as wide as Freedman and Diaconis or, for few numbers, Sturges proposed. */
export function binNumbers(numbers: readonly number[]): readonly Bin[] {
  const summary = summarize(numbers);
  if (summary === undefined) return [];
  const { min, max, q1, q3, count } = summary;
  const sturges = (max - min) / Math.ceil(Math.log2(count) + 1);
  const ideal = Math.min((2 * (q3 - q1)) / Math.cbrt(count) || sturges, sturges);
  const width = roundWidth(Math.max(ideal, (max - min) / MAX_BINS)) || Math.abs(min) || 1;
  const first = Math.floor(min / width);
  const bins = Math.min(MAX_BINS + 2, Math.floor(max / width) - first + 1);
  const members = Array.from({ length: bins }, (): number[] => []);
  for (const [at, value] of numbers.entries())
    members[Math.min(bins - 1, Math.max(0, Math.floor(value / width) - first))]?.push(at);
  return members.map((own, at) => ({ from: (first + at) * width, to: (first + at + 1) * width, members: own }));
}

/** 1, 2 or 5 times a power of ten, not smaller. */
function roundWidth(width: number): number {
  if (!(width > 0)) return 0;
  const power = 10 ** Math.floor(Math.log10(width));
  return power * ([1, 2, 5, 10].find((step) => step * power >= width * 0.999_999) ?? 10);
}
