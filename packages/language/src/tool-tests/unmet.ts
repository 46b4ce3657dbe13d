import type { Place } from "./tool-test.ts";

/** An expectation that was not met. */
export interface Unmet {
  readonly at: Place;
  /** The part of the run: `outputs.table.lines`; empty for the run itself. */
  readonly part: string;
  readonly message: string;
  /** The actual value, if it can replace the expected one in the file. */
  readonly actual?: string | number | bigint | boolean | null;
}

/** The problem of a value; undefined if the value is as expected. */
export type Judged = Pick<Unmet, "message" | "actual"> | undefined;
