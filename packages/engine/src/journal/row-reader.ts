import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import type { Row } from "./statements.ts";

/** Reads the columns of one row of a projection, or the fields of an object in a JSON column. Only this folder writes them, so a column has the type that its reader names. */
export class RowReader {
  readonly #row: Row;
  /** The columns with damaged JSON, replaced by a neutral value, so that one row does not hide the others. */
  readonly damaged: string[] = [];

  constructor(row: Row) {
    this.#row = row;
  }

  text(column: string): string {
    return String(this.#row[column]);
  }

  /** 0 for an empty column. */
  number(column: string): number {
    return Number(this.#row[column] ?? 0);
  }

  textOrNull(column: string): string | null {
    return (this.#row[column] ?? null) as string | null; // see the class comment
  }

  numberOrNull(column: string): number | null {
    return (this.#row[column] ?? null) as number | null; // see the class comment
  }

  /** `neutral` replaces the value of a damaged or empty column. */
  json<Value>(column: string, neutral: Value): Value {
    const value = this.#row[column];
    if (value === null || value === undefined) return neutral;
    if (typeof value === "object") return value as Value; // see the class comment
    try {
      return (parseExactJson(String(value)) ?? neutral) as Value; // see the class comment
    } catch {
      this.damaged.push(column);
      return neutral;
    }
  }
}
