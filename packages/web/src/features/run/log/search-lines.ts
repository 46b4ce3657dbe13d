import { plainLine } from "../../../format/parse-ansi.ts";

/** Maximum number of listed matches. */
export const MAX_MATCHES = 10_000;
/** Maximum number of searched characters per line. */
const MAX_LINE_CHARS = 100_000;

/** Finds the lines of a streamed log that contain a text, ignoring case. Keeps at most one line in memory. */
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

  /** Call at the end of the log, with or without a final line break. */
  end(): void {
    if (this.#rest !== "") this.#look(this.#rest);
    this.#rest = "";
  }

  #look(line: string): void {
    if (!this.isFull && plainLine(line).toLowerCase().includes(this.#wanted)) this.#matches.push(this.#line);
    this.#line += 1;
  }
}
