/** The number that a text spells (`12`, `-0.5`, `1e-3`), else the text itself. */
export function parseNumber(text: string): number | string {
  const trimmed = text.trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : text;
}
