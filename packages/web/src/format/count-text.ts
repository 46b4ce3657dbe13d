/** A number with its noun: `1 run`, `2 runs`. */
export function countText(count: number, noun: string): string {
  return `${count} ${pluralOf(noun, count)}`;
}

/** The noun after a number; only for nouns with a plural in -s. */
export function pluralOf(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}
