const OPENING = new Map([
  ["(", ")"],
  ["{", "}"],
  ["[", "]"],
]);

/**
 * Finds the end of the JavaScript that starts after an opening bracket: the index of its closing one. Nested brackets,
 * strings, comments and regular expressions are skipped. CWL v1.2 CommandLineTool.html#Expressions.
 *
 * `start` is the index after the opening bracket. Returns undefined if the bracket is never closed.
 */
export function findScriptEnd(text: string, start: number, closing: ")" | "}"): number | undefined {
  const expected: string[] = [closing];
  let index = start;
  while (index < text.length) {
    const character = text.charAt(index);
    const inner = OPENING.get(character);
    if (inner !== undefined) expected.push(inner);
    else if (character === expected.at(-1)) {
      expected.pop();
      if (expected.length === 0) return index;
    }
    index = skipToken(text, index, start);
  }
  return undefined;
}

/** The index after the string, comment, regular expression or single character at `index`. */
function skipToken(text: string, index: number, start: number): number {
  switch (text.charAt(index)) {
    case "'":
    case '"':
    case "`":
      return skipDelimited(text, index);
    case "\\":
      return index + 2;
    case "/":
      return skipSlash(text, index, start);
    default:
      return index + 1;
  }
}

function skipDelimited(text: string, index: number): number {
  const delimiter = text.charAt(index);
  let at = index + 1;
  while (at < text.length && text.charAt(at) !== delimiter) at += text.charAt(at) === "\\" ? 2 : 1;
  return at + 1;
}

function skipSlash(text: string, index: number, start: number): number {
  const next = text.charAt(index + 1);
  if (next === "/") return endOf(text, text.indexOf("\n", index));
  if (next === "*") return endOf(text, text.indexOf("*/", index + 2)) + 1;
  return startsPattern(text, index, start) ? skipPattern(text, index) : index + 1;
}

function endOf(text: string, found: number): number {
  return found === -1 ? text.length : found + 1;
}

/** A slash divides after a value and starts a regular expression anywhere else. */
function startsPattern(text: string, index: number, start: number): boolean {
  const before = text.slice(Math.max(start, index - 40), index).trimEnd();
  return before === "" || /[(,=:[!&|?{};+\-*%<>~^]$|\b(?:return|typeof|case|in|of)$/.test(before);
}

function skipPattern(text: string, index: number): number {
  let inClass = false;
  for (let at = index + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\n") return index + 1;
    if (character === "\\") at++;
    else if (character === "[") inClass = true;
    else if (character === "]") inClass = false;
    else if (character === "/" && !inClass) return at + 1;
  }
  return index + 1;
}
