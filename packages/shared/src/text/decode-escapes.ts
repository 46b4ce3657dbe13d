/** The text without percent escapes; undefined if one is incomplete, or if the bytes are not UTF-8. */
export function decodeEscapes(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The text without percent escapes, or unchanged if it has wrong ones. */
export function decoded(text: string): string {
  return decodeEscapes(text) ?? text;
}
