/** The text as a number (`12`, `-0.5`, `1e-3`), or the text itself if it is not a number. */
export function parseNumber(text: string): number | string {
  const trimmed = text.trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : text;
}
