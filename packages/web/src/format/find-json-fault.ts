/** Where a text stops being JSON, counted from one, and what should stand there. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Thrown and caught within this file only: the way out of nested values. */
class Fault extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** The first fault of a text that should be JSON (RFC 8259); browsers name its place in different ways, or not at all. */
export function findJsonFault(text: string): JsonFault | undefined {
  try {
    const end = skipSpace(text, readValue(text, skipSpace(text, 0)));
    return end === text.length ? undefined : faultAt(text, end, "Nothing may stand after the value");
  } catch (error) {
    if (error instanceof Fault) return faultAt(text, error.at, error.message);
    throw error;
  }
}

function faultAt(text: string, at: number, message: string): JsonFault {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, message };
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (/[ \t\r\n]/.test(text[next] ?? "")) next += 1;
  return next;
}

/** Reads one value that begins at `at`; answers with the place behind it. */
function readValue(text: string, at: number): number {
  switch (text[at]) {
    case undefined:
      throw new Fault(at, "The text ends where a value is expected");
    case "{":
      return readList(text, at, { close: "}", what: "object", readEntry: readField });
    case "[":
      return readList(text, at, { close: "]", what: "list", readEntry: readValue });
    case '"':
      return readString(text, at);
    case "'":
      throw new Fault(at, "Texts stand in double quotes");
    default:
      return readWord(text, at);
  }
}

interface ListForm {
  readonly close: string;
  readonly what: string;
  readonly readEntry: (text: string, at: number) => number;
}

function readList(text: string, start: number, { close, what, readEntry }: ListForm): number {
  let at = skipSpace(text, start + 1);
  if (text[at] === close) return at + 1;
  for (;;) {
    at = skipSpace(text, readEntry(text, at));
    if (text[at] === close) return at + 1;
    if (text[at] === undefined)
      throw new Fault(at, `The text ends inside of ${what === "list" ? "a list" : "an object"}`);
    if (text[at] !== ",") throw new Fault(at, `A comma or ${close} is expected`);
    at = skipSpace(text, at + 1);
    if (text[at] === close) throw new Fault(at, `No comma may stand before ${close}`);
  }
}

function readField(text: string, at: number): number {
  if (text[at] !== '"') throw new Fault(at, "The name of a field is expected, in double quotes");
  const colon = skipSpace(text, readString(text, at));
  if (text[colon] !== ":") throw new Fault(colon, "A colon is expected after the name of a field");
  return readValue(text, skipSpace(text, colon + 1));
}

function readString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const letter = text[at];
    if (letter === undefined || letter === "\n") throw new Fault(start, "This text is not closed by a double quote");
    if (letter === '"') return at + 1;
    if (letter < " ") throw new Fault(at, "A control character must be written as an escape");
    if (letter !== "\\") continue;
    const length = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6))?.[0].length;
    if (length === undefined) throw new Fault(at, "This is no escape that JSON knows");
    at += length;
  }
}

function readWord(text: string, at: number): number {
  const rest = text.slice(at, at + 400);
  const known = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/.exec(rest)?.[0];
  if (known === undefined) throw new Fault(at, `${/^[^\s,\]}:]+/.exec(rest)?.[0] ?? rest[0] ?? ""} is no value`);
  return at + known.length;
}
