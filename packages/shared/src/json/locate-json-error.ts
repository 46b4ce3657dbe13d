/** The position of the first error in a JSON text, with a message. */
export interface JsonFault {
  /** Offset in UTF-16 code units from 0. */
  readonly offset: number;
  /** Line number from 1. */
  readonly line: number;
  /** Column in UTF-16 code units from 1. */
  readonly column: number;
  readonly expected: string;
}

type Fault = Pick<JsonFault, "offset" | "expected">;

type State = "value" | "value or ]" | "key" | "key or }" | "colon" | "separator";

const EXPECTED: Readonly<Record<State, string>> = {
  value: "a value",
  "value or ]": "a value or `]`",
  key: "a key in double quotes",
  "key or }": "a key in double quotes or `}`",
  colon: "`:`",
  separator: "`,` or the end of the object or array",
};

const WHITESPACE = /[ \t\n\r]*/y;
const SCALAR = /(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![A-Za-z0-9.+-])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Finds the first error of a JSON text (RFC 8259); undefined when there is none. The messages of JSON.parse do not
 * always name a position, and those of browsers differ. Keeps its own stack, so that no nesting is too deep.
 */
export function locateJsonError(text: string): JsonFault | undefined {
  const fault = findFault(text);
  if (fault === undefined) return undefined;
  const before = text.slice(0, fault.offset).split("\n");
  return { ...fault, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function findFault(text: string): Fault | undefined {
  const open: ("{" | "[")[] = [];
  let state: State = "value";
  let offset = skip(WHITESPACE, text, 0);
  while (state !== "separator" || open.length > 0) {
    const step: Step | Fault = takeToken(text, offset, state, open);
    if ("expected" in step) return step;
    state = step.state;
    offset = skip(WHITESPACE, text, step.offset);
  }
  return offset < text.length ? { offset, expected: "the end of the text" } : undefined;
}

interface Step {
  readonly offset: number;
  readonly state: State;
}

function takeToken(text: string, offset: number, state: State, open: ("{" | "[")[]): Step | Fault {
  switch (state) {
    case "value":
    case "value or ]":
      if (state === "value or ]" && text[offset] === "]") return close(offset, open);
      return takeValue(text, offset, open, state);
    case "key":
    case "key or }":
      if (state === "key or }" && text[offset] === "}") return close(offset, open);
      return takeString(text, offset, "colon", state);
    case "colon":
      return text[offset] === ":" ? { offset: offset + 1, state: "value" } : { offset, expected: EXPECTED.colon };
    case "separator":
      return takeSeparator(text, offset, open);
  }
}

function takeValue(text: string, offset: number, open: ("{" | "[")[], state: State): Step | Fault {
  const char = text[offset];
  if (char === "{" || char === "[") {
    open.push(char);
    return { offset: offset + 1, state: char === "{" ? "key or }" : "value or ]" };
  }
  if (char === '"') return takeString(text, offset, "separator", state);
  const end = skip(SCALAR, text, offset);
  return end > offset ? { offset: end, state: "separator" } : { offset, expected: EXPECTED[state] };
}

function takeSeparator(text: string, offset: number, open: ("{" | "[")[]): Step | Fault {
  const inside = open.at(-1);
  const char = text[offset];
  if (char === ",") return { offset: offset + 1, state: inside === "{" ? "key" : "value" };
  if ((char === "}" && inside === "{") || (char === "]" && inside === "[")) return close(offset, open);
  return { offset, expected: inside === "{" ? "`,` or `}`" : "`,` or `]`" };
}

function close(offset: number, open: ("{" | "[")[]): Step {
  open.pop();
  return { offset: offset + 1, state: "separator" };
}

function takeString(text: string, start: number, next: State, state: State): Step | Fault {
  if (text[start] !== '"') return { offset: start, expected: EXPECTED[state] };
  let offset = start + 1;
  for (;;) {
    const char = text[offset];
    if (char === '"') return { offset: offset + 1, state: next };
    if (char === undefined) return { offset, expected: 'the closing `"` of a string' };
    if (char < " ") return { offset, expected: "an escape such as `\\n` for a control character" };
    const end = char === "\\" ? skip(ESCAPE, text, offset) : offset + 1;
    if (end === offset) return { offset, expected: 'an escape: one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX' };
    offset = end;
  }
}

function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : offset;
}
