const NUMBERS = new Intl.NumberFormat("en");

/** A whole number as people read it: `12,345`. */
export function numberText(count: number): string {
  return NUMBERS.format(count);
}

/** A number with its noun: `1 run`, `2,000 runs`. */
export function countText(count: number, noun: string): string {
  return `${numberText(count)} ${pluralOf(noun, count)}`;
}

/** The noun after a number; only for nouns with a plural in -s. */
export function pluralOf(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}
