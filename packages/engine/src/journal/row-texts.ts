import type { Row } from "./statements.ts";

/**
 * The columns of a row that hold JSON. One that a broken disk or a foreign hand has spoilt must not take the other rows of a list
 * with it: it has a neutral value, and is named.
 */
export class RowTexts {
  readonly #row: Row;
  readonly damaged: string[] = [];

  constructor(row: Row) {
    this.#row = row;
  }

  /** `neutral` stands for a column that cannot be read, and for one that is empty. */
  json(column: string, neutral: unknown): unknown {
    const text = this.#row[column];
    if (text === null || text === undefined) return neutral;
    try {
      return JSON.parse(String(text)) ?? neutral;
    } catch {
      this.damaged.push(column);
      return neutral;
    }
  }
}
