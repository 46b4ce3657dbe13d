/**
 * YAML 1.2 requires each line of a flow collection or quoted scalar to be indented deeper than the enclosing block. People
 * indent the closing bracket like the key, and PyYAML and ruamel accept any indentation there. This scanner replaces the
 * line break before such a line, and tabs between tokens, with spaces, so that the parser accepts them. Offsets do not
 * change, nor do values, because they are read from the original text. Runs only after the parser refused the indentation.
 */
export interface JoinedLines {
  readonly text: string;
  /** Offsets of the lines that are not indented enough. */
  readonly loose: readonly number[];
  /** The first such line of a value that the file never closes. */
  readonly unclosed?: number | undefined;
}

export function joinFlowLines(text: string): JoinedLines {
  return new Scanner(text).scan();
}

class Scanner {
  readonly #text: string;
  readonly #parts: string[] = [];
  readonly #loose: number[] = [];
  /** Columns of the block entries around the current line. */
  readonly #columns: number[] = [];
  #unclosed: number | undefined;
  #copied = 0;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): JoinedLines {
    while (this.#at < this.#text.length) this.#scanLine();
    const text = this.#parts.join("") + this.#text.slice(this.#copied);
    return { text, loose: this.#loose, unclosed: this.#unclosed };
  }

  #scanLine(): void {
    const start = this.#at;
    if (this.#matches(/(?:---|\.\.\.)(?=\s|$)/y)) {
      this.#columns.length = 0;
      this.#at += 3;
    }
    const column = this.#skipSpaces() - start;
    if (!this.#atLineEnd()) {
      while ((this.#columns.at(-1) ?? -1) >= column) this.#columns.pop();
      this.#scanNode(start);
    }
    this.#skipLine();
  }

  /** Scans the nodes of one line: dashes, keys, and the value after them. */
  #scanNode(lineStart: number): void {
    for (;;) {
      this.#skipSpaces();
      if (this.#atLineEnd()) return;
      const start = this.#at;
      if (this.#matches(/[-?](?=\s|$)/y)) {
        this.#columns.push(start - lineStart);
        this.#at++;
        continue;
      }
      const properties = this.#match(/(?:[&!][^\s,[\]{}]*[ \t]+)+/y);
      this.#at += properties.length;
      if (!this.#scanContent() || !this.#matches(/[ \t]*:(?=\s|$)/y)) return;
      this.#columns.push(start - lineStart);
      this.#at += this.#match(/[ \t]*:/y).length;
    }
  }

  /** Skips one node; false if the rest of the line cannot make it a key. */
  #scanContent(): boolean {
    const character = this.#text.charAt(this.#at);
    const known = this.#loose.length;
    if (character === "{" || character === "[" || character === '"' || character === "'") {
      const isClosed = character === "{" || character === "[" ? this.#scanFlow() : this.#scanQuoted(character);
      if (!isClosed) this.#unclosed ??= this.#loose[known];
      return isClosed;
    }
    if (character === "|" || character === ">") return this.#skipDeeperLines();
    this.#at += this.#match(/(?:[^\s:#]|:(?=\S)|[ \t]+(?![\s#:]|$)|[ \t]+(?=:\S)|(?<=\S)#)*/y).length;
    return this.#matches(/[ \t]*:(?=\s|$)/y) || this.#skipDeeperLines();
  }

  /** Skips the lines of a block scalar, or those that continue a plain scalar. */
  #skipDeeperLines(): false {
    const parent = this.#columns.at(-1) ?? -1;
    for (;;) {
      const next = this.#lineAfter(this.#at);
      if (next === undefined) return false;
      const indent = countSpaces(this.#text, next);
      const isBlank = /[\r\n]/.test(this.#text.charAt(next + indent)) || next + indent >= this.#text.length;
      if (!isBlank && (indent <= parent || this.#isBoundary(next))) return false;
      this.#at = next;
    }
  }

  #scanFlow(): boolean {
    let depth = 0;
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      if (character === "{" || character === "[") depth++;
      if (character === "}" || character === "]") depth--;
      if (character === '"' || character === "'") {
        if (!this.#scanQuoted(character)) return false;
      } else if (/[\r\n]/.test(character)) {
        if (!this.#passBreak(/[\r\n#]/)) return false;
      } else if (character === "\t") this.#blank(this.#at, this.#at + 1);
      else if (character === "#" && /\s/.test(this.#text.charAt(this.#at - 1))) this.#skipComment();
      else if (/[\s,[\]{}:?]/.test(character)) this.#at++;
      else this.#at += this.#match(/[^\s,[\]{}:]+(?:[ ]+[^\s,[\]{}:#]+|:(?![\s,[\]{}])[^\s,[\]{}:]*)*/y).length || 1;
      if (depth === 0) return true;
    }
    return false;
  }

  #scanQuoted(quote: string): boolean {
    const inside = quote === "'" ? /(?:[^'\r\n]|'')*/y : /(?:[^"\\\r\n]|\\[^\r\n])*\\?/y;
    this.#at++;
    while (this.#at < this.#text.length) {
      this.#at += this.#match(inside).length;
      if (this.#text.charAt(this.#at) === quote) {
        this.#at++;
        return true;
      }
      if (!this.#passBreak(/[\r\n]/)) return false;
    }
    return false;
  }

  /** Passes line breaks within a node up to the next content, and replaces them if its line is not deep enough. */
  #passBreak(empty: RegExp): boolean {
    let next = this.#lineAfter(this.#at);
    while (next !== undefined && empty.test(this.#text.charAt(next + countSpaces(this.#text, next))))
      next = this.#lineAfter(next);
    if (next === undefined || this.#isBoundary(next)) return false;
    const indent = countSpaces(this.#text, next);
    if (indent > (this.#columns.at(-1) ?? -1)) this.#at = next;
    else {
      this.#loose.push(next + indent);
      this.#blank(this.#at, next);
    }
    return true;
  }

  /** Once lines are joined, a comment would include the next line. */
  #skipComment(): void {
    const end = this.#at + this.#match(/[^\r\n]*/y).length;
    this.#blank(this.#at, end);
  }

  #blank(from: number, to: number): void {
    this.#parts.push(this.#text.slice(this.#copied, from), " ".repeat(to - from));
    this.#copied = this.#at = to;
  }

  #skipLine(): void {
    this.#at = this.#lineAfter(this.#at) ?? this.#text.length;
  }

  /** The offset of the next line; undefined on the last one. */
  #lineAfter(offset: number): number | undefined {
    LINE_BREAK.lastIndex = offset;
    const match = LINE_BREAK.exec(this.#text);
    return match === null ? undefined : match.index + match[0].length;
  }

  #isBoundary(lineStart: number): boolean {
    return /^(?:---|\.\.\.)(?:\s|$)/.test(this.#text.slice(lineStart, lineStart + 4));
  }

  #skipSpaces(): number {
    this.#at += this.#match(/[ \t\uFEFF]*/y).length;
    return this.#at;
  }

  #atLineEnd(): boolean {
    return this.#at >= this.#text.length || /[\r\n#]/.test(this.#text.charAt(this.#at));
  }

  #matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#text);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0] ?? "";
  }
}

const LINE_BREAK = /\r\n?|\n/g;

function countSpaces(text: string, from: number): number {
  let at = from;
  while (text.charAt(at) === " ") at++;
  return at - from;
}
