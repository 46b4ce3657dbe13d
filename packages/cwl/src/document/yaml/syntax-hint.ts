/**
 * A hint about a common mistake in YAML that was written by hand; undefined if none is recognized. `reason` is the
 * parser's message, `offset` the position where it stopped.
 */
export function syntaxHint(reason: string, text: string, offset: number): string | undefined {
  const character = text.charAt(offset);
  if (/tab/.test(reason)) return "indent with spaces";
  if (/flow collection/.test(reason)) return FLOW_HINT;
  if (RESERVED.has(character)) return quoteHint(character);
  if (hasColon(text, offset)) return "text that contains a colon followed by a space needs quotation marks";
  const isOpen = /deficient indentation|unexpected end/.test(reason);
  return isOpen ? "a bracket or a quotation mark that was opened before this place is not closed" : undefined;
}

export function quoteHint(character: string): string {
  return `text that begins with \`${character}\` needs quotation marks`;
}

/** Characters that cannot begin a plain scalar. */
const RESERVED = new Set(["@", "`", "%", "*", "&", "!", "|", ">"]);

const FLOW_HINT =
  'between `{` and `}`, or `[` and `]`, text that contains brackets or commas needs quotation marks: "File[]"';

/** True for a line such as `label: a: b`. */
function hasColon(text: string, offset: number): boolean {
  const start = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  const end = text.slice(start).search(/[\r\n]|$/);
  return /:\s.*:(\s|$)/.test(text.slice(start, start + end));
}
