/**
 * POSIX pathname matching of one path segment: `*`, `?`, `[a-z]`, `[!a]`, `\x`. A leading period must be matched by a
 * period. Takes at most name length × pattern length steps. CWL v1.2 CommandLineTool.html#CommandOutputBinding, `glob`.
 */
export function matchGlob(pattern: string, name: string): boolean {
  // A file name that contains brackets may be meant literally.
  if (pattern === name) return true;
  if (name.startsWith(".") && !pattern.startsWith(".") && !pattern.startsWith("\\.")) return false;
  return matchTokens(parseGlob(pattern), [...name]);
}

/** True if a segment matches only itself. */
export function isLiteralGlob(pattern: string): boolean {
  return !/[*?[\\]/.test(pattern);
}

type Token =
  | { readonly kind: "star" }
  | { readonly kind: "any" }
  | { readonly kind: "character"; readonly character: string }
  | { readonly kind: "set"; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] };

function matchTokens(tokens: readonly Token[], characters: readonly string[]): boolean {
  let token = 0;
  let at = 0;
  // If the characters after the last star do not match, the star takes one more character.
  let retry: { readonly token: number; readonly at: number } | undefined;
  while (at < characters.length || token < tokens.length) {
    const current = tokens[token];
    const character = characters[at];
    if (current?.kind === "star") {
      retry = { token, at: at + 1 };
      token++;
    } else if (current !== undefined && character !== undefined && fits(current, character)) {
      token++;
      at++;
    } else {
      if (retry === undefined || retry.at > characters.length) return false;
      ({ token, at } = retry);
    }
  }
  return true;
}

function fits(token: Token, character: string): boolean {
  switch (token.kind) {
    case "star":
    case "any":
      return true;
    case "character":
      return token.character === character;
    case "set":
      return token.ranges.some(([from, to]) => from <= character && character <= to) !== token.negated;
  }
}

function parseGlob(pattern: string): readonly Token[] {
  const characters = [...pattern];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length;) {
    const { token, next } = parseToken(characters, at);
    tokens.push(token);
    at = next;
  }
  return tokens;
}

interface ParsedToken {
  readonly token: Token;
  readonly next: number;
}

function parseToken(characters: readonly string[], at: number): ParsedToken {
  const character = characters[at] ?? "";
  const literal = (text: string, next: number): ParsedToken => ({
    token: { kind: "character", character: text },
    next,
  });
  switch (character) {
    case "*":
      return { token: { kind: "star" }, next: at + 1 };
    case "?":
      return { token: { kind: "any" }, next: at + 1 };
    case "\\":
      return literal(characters[at + 1] ?? "\\", at + 2);
    case "[":
      return parseSet(characters, at) ?? literal("[", at + 1);
    default:
      return literal(character, at + 1);
  }
}

/** A closing bracket right after the opening one belongs to the set. Returns undefined if the set is not closed. */
function parseSet(characters: readonly string[], at: number): ParsedToken | undefined {
  const negated = characters[at + 1] === "!" || characters[at + 1] === "^";
  const start = at + (negated ? 2 : 1);
  const end = characters.indexOf("]", start + 1);
  if (end === -1) return undefined;
  const ranges: (readonly [string, string])[] = [];
  for (let index = start; index < end;) {
    const from = characters[index] ?? "";
    const isRange = characters[index + 1] === "-" && index + 2 < end;
    ranges.push([from, isRange ? (characters[index + 2] ?? from) : from]);
    index += isRange ? 3 : 1;
  }
  return { token: { kind: "set", negated, ranges }, next: end + 1 };
}
