/** A number with its noun: `1 run`, `2 runs`. */
export function countText(count: number, noun: string): string {
  return `${count} ${pluralOf(noun, count)}`;
}

/** The noun as it follows a number; all of ours form the plural with an s. */
export function pluralOf(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}
