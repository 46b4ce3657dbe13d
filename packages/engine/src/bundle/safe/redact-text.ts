import type { Secret } from "./placeholders.ts";

export interface Redaction {
  readonly secrets: readonly Secret[];
  /** What is told anyway: words and quotations that stand in it may stay. */
  readonly known: string;
}

/** Parts of secrets that are shorter than this are common words more often than not. */
const PART_CHARS = 4;
const NUMBER_CHARS = 2;

/**
 * A sentence without what is private: addresses, absolute paths, everything that is known to be secret in whole or in
 * part, whatever its case, and whatever is quoted, unless the tool's document says the same.
 */
export function redactText(text: string, { secrets, known }: Redaction): string {
  const addresses = text.replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s'"`)]+/gi, "<address>");
  const whole = secrets
    .toSorted((a, b) => b.text.length - a.text.length)
    .reduce((rest, secret) => replaceWord(rest, secret), addresses);
  const paths = whole.replace(/(^|[\s'"`(=:,])(?:~|\.{0,2})\/[^\s'"`),;]+/g, "$1<path>");
  const parts = partsOf(secrets).reduce(
    (rest, part) => (hasWord(known, part) ? rest : replaceWord(rest, { text: part, placeholder: "<private>" })),
    paths,
  );
  return parts.replace(/(`+|'|")((?:(?!\1).)+)\1/gs, (quoted, mark: string, inner: string) =>
    known.includes(inner) || /^<[^<>]*>$/.test(inner) ? quoted : `${mark}<text>${mark}`,
  );
}

function partsOf(secrets: readonly Secret[]): string[] {
  const parts = secrets.flatMap(({ text }) => text.split(/[^\p{L}\p{N}]+/u));
  return [...new Set(parts)].filter((part) => part.length >= (/^\d+$/.test(part) ? NUMBER_CHARS : PART_CHARS));
}

function replaceWord(text: string, { text: secret, placeholder }: Secret): string {
  return text.replace(wordPattern(secret), () => placeholder);
}

function hasWord(text: string, word: string): boolean {
  return wordPattern(word).test(text);
}

/** Not inside of a longer word or of a placeholder. */
function wordPattern(word: string): RegExp {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])(?<!<[^<>]*)${escaped}(?![\\p{L}\\p{N}])`, "giu");
}
