import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import { fieldOf, isArray, isObject } from "../values/value-kind.ts";

/**
 * The outputs of the jobs of one step. There may be a hundred thousand of them, so only those that the step names are
 * kept, in one list for each output, and texts that equal those of the job before (names and endings of files) only once.
 */
export class JobResults {
  readonly #lists: ReadonlyMap<string, CwlValue[]>;
  #length: number;

  /** `outputs`: the names of those to keep. */
  constructor(outputs: readonly string[], jobs = 0) {
    const nulls = () => Array.from({ length: jobs }, () => null);
    this.#lists = new Map(outputs.map((output) => [output, nulls()]));
    this.#length = jobs;
  }

  get length(): number {
    return this.#length;
  }

  /** Jobs without a result have null. */
  set(job: number, outputs: CwlObject | undefined): void {
    this.#length = Math.max(this.#length, job + 1);
    for (const [output, values] of this.#lists) {
      const value = outputs === undefined ? null : (fieldOf(outputs, output) ?? null);
      values[job] = sharing(value, values[job - 1]);
    }
  }

  /** Null: it has none (yet). */
  value(output: string, job: number): CwlValue {
    return this.#lists.get(output)?.[job] ?? null;
  }
}

/** A copy of a value that uses the texts of `other` where they are equal: otherwise, both would be in memory. */
function sharing(value: CwlValue, other: CwlValue | undefined): CwlValue {
  if (typeof value === "string") return value === other ? other : value;
  if (isArray(value) && isArray(other)) return value.map((item, index) => sharing(item, other[index]));
  if (!isObject(value) || !isObject(other)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, sharing(field, fieldOf(other, name))]));
}
