import type { TextChange } from "../language/document-language.ts";

/** The one change that turns a text into another; undefined if they are equal. */
export function differenceOf(old: string, text: string): TextChange | undefined {
  if (old === text) return undefined;
  const shorter = Math.min(old.length, text.length);
  let start = 0;
  while (start < shorter && old[start] === text[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  return { from: start, to: old.length - end, insert: text.slice(start, text.length - end) };
}
