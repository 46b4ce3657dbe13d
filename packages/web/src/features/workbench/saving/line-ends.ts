/** Editors work with `\n`. A file that ends all lines with `\r\n` gets them back; mixed ends stay characters of the text. */
export class LineEnds {
  readonly #isWindows: boolean;

  private constructor(isWindows: boolean) {
    this.#isWindows = isWindows;
  }

  static of(text: string): LineEnds {
    return new LineEnds(text.includes("\r\n") && !/\r(?!\n)|(?<!\r)\n/.test(text));
  }

  toEditor(text: string): string {
    return this.#isWindows ? text.replaceAll("\r\n", "\n") : text;
  }

  toFile(text: string): string {
    return this.#isWindows ? text.replaceAll(/\r?\n/g, "\r\n") : text;
  }
}
