/**
 * A hint for a text that is not YAML: the common mistakes of people who write CWL by hand. `reason` is the parser's
 * message, `offset` the position where it stopped.
 */
export function syntaxHint(reason: string, text: string, offset: number): string | undefined {
  const character = text.charAt(offset);
  if (/tab/.test(reason)) return "indent with spaces";
  if (/flow collection/.test(reason)) return FLOW_HINT;
  if (RESERVED.has(character)) return quoteHint(character);
  if (hasColon(text, offset)) return "a text with a colon and a space in it needs quotation marks";
  const isOpen = /deficient indentation|unexpected end/.test(reason);
  return isOpen ? "a bracket or a quotation mark that was opened before this place is not closed" : undefined;
}

/** A plain text cannot begin with these. */
export function quoteHint(character: string): string {
  return `a text that begins with \`${character}\` needs quotation marks`;
}

const RESERVED = new Set(["@", "`", "%", "*", "&", "!", "|", ">"]);

const FLOW_HINT = 'between `{` and `}`, or `[` and `]`, a text with brackets or commas needs quotation marks: "File[]"';

/** `label: a: b` */
function hasColon(text: string, offset: number): boolean {
  const start = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  const end = text.slice(start).search(/[\r\n]|$/);
  return /:\s.*:(\s|$)/.test(text.slice(start, start + end));
}
