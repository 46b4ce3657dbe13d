import { plainLine } from "../../../format/parse-ansi.ts";

/** More matches than this are not listed. */
export const MAX_MATCHES = 10_000;
/** Only this much of a longer line is searched. */
const MAX_LINE_CHARS = 100_000;

/** Finds the lines that hold a text, whatever its case, in a log that comes piece by piece. Holds one line at most. */
export class LineSearch {
  readonly #wanted: string;
  readonly #matches: number[] = [];
  #rest = "";
  #line = 0;

  constructor(q: string) {
    this.#wanted = q.toLowerCase();
  }

  /** Numbers of lines, from 0. */
  get matches(): readonly number[] {
    return this.#matches;
  }

  get isFull(): boolean {
    return this.#matches.length >= MAX_MATCHES;
  }

  push(piece: string): void {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, MAX_LINE_CHARS);
    for (const line of lines) this.#look(line);
  }

  /** The log ends here, with or without a line end. */
  end(): void {
    if (this.#rest !== "") this.#look(this.#rest);
    this.#rest = "";
  }

  #look(line: string): void {
    if (!this.isFull && plainLine(line).toLowerCase().includes(this.#wanted)) this.#matches.push(this.#line);
    this.#line += 1;
  }
}
