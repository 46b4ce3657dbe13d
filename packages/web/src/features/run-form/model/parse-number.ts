import { wholeNumber } from "@weft/shared/json/exact-json.ts";

/** The text as a number (`12`, `-0.5`, `1e-3`), or the text itself if it is not a number. Whole numbers keep their digits. */
export function parseNumber(text: string): number | bigint | string {
  const trimmed = text.trim();
  if (/^[+-]?\d+$/.test(trimmed)) return wholeNumber(trimmed);
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : text;
}
