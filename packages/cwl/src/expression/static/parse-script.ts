import { parse, type Node } from "acorn";

/** The syntax tree of a script, or its first syntax error. */
export type ParsedScript = { readonly tree: Node } | { readonly error: ScriptError };

export interface ScriptError {
  readonly offset: number;
  /** The parser's message, without its position. */
  readonly message: string;
}

export type ScriptForm = "expression" | "body" | "library";

/** The code that surrounds the script when it runs. */
const AROUND: { readonly [form in ScriptForm]: readonly [before: string, after: string] } = {
  expression: ['(function(){"use strict";return (', "\n)})()"],
  body: ['(function(){"use strict";', "\n})()"],
  library: ["", ""],
};

/** Parses a script with its surrounding code. `shiftOf(form)` is the position of the script's first character in the tree. */
export function parseScript(code: string, form: ScriptForm): ParsedScript {
  const [before, after] = AROUND[form];
  try {
    return { tree: parse(before + code + after, { ecmaVersion: "latest" }) };
  } catch (error) {
    // The parser reports a syntax error only by throwing.
    if (!(error instanceof SyntaxError)) throw error;
    return { error: scriptError(error, code, before.length) };
  }
}

export function shiftOf(form: ScriptForm): number {
  return AROUND[form][0].length;
}

function scriptError(error: SyntaxError, code: string, shift: number): ScriptError {
  // acorn adds the offset to its errors.
  const position = "pos" in error && typeof error.pos === "number" ? error.pos - shift : 0;
  const message = error.message.replace(/ \(\d+:\d+\)$/, "");
  if (position >= code.length)
    return { offset: Math.max(0, code.trimEnd().length - 1), message: "the code ends too early" };
  const [token = ""] = /^\w+|^[^\s]/.exec(code.slice(position)) ?? [];
  const shown = message === "Unexpected token" && token !== "" ? `unexpected \`${token}\`` : lowerFirst(message);
  return { offset: Math.max(0, position), message: shown };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
