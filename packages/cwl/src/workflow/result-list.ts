import { isArray } from "../values/value-kind.ts";
import type { CwlLimits } from "../limits.ts";
import type { CwlValue } from "../model/cwl-value.ts";
import type { LinkLimit } from "./step/link-value.ts";

/** Compresses values that are not needed for a while. */
export interface Packing {
  pack(values: readonly CwlValue[]): Uint8Array;
  unpack(packed: Uint8Array): readonly CwlValue[];
}

/** The number of jobs whose values are packed together. */
export const JOBS_PER_PART = 256;

/** `open`: number of jobs in this part that have no value yet. */
type Part = { readonly values: CwlValue[]; open: number } | { readonly packed: Uint8Array };

/**
 * The values of one output of all jobs of a step; null for a job without one. A step may have a hundred thousand jobs, each
 * of whose Files takes half a kilobyte. Once all jobs of a part have ended, it shrinks to a tenth until it is read.
 */
export class ResultList {
  readonly #packing: Packing | undefined;
  readonly #parts: Part[] = [];
  #length: number;
  #members = 0;
  #depth = 0;
  /** The part that was read last. */
  #read: { readonly part: Part; readonly values: readonly CwlValue[] } | undefined;

  /** `jobs`: number of jobs, 0 if unknown. If it is unknown, no part is known to be complete, so nothing is packed. */
  constructor(jobs: number, packing: Packing | undefined) {
    this.#packing = jobs === 0 ? undefined : packing;
    this.#length = jobs;
    for (let first = 0; first < jobs; first += JOBS_PER_PART) {
      const open = Math.min(JOBS_PER_PART, jobs - first);
      this.#parts.push({ values: Array.from({ length: open }, () => null), open });
    }
  }

  get length(): number {
    return this.#length;
  }

  /** True if the list may take much less memory than its values. */
  get isPacked(): boolean {
    return this.#parts.some((part) => "packed" in part);
  }

  /** Sets the value of a job. Call this once for each job, unless the number of jobs is unknown. */
  set(job: number, value: CwlValue): void {
    const number = Math.floor(job / JOBS_PER_PART);
    const part = (this.#parts[number] ??= { values: [], open: 0 });
    if ("packed" in part) throw new Error(`job ${job} has ended already`);
    part.values[job % JOBS_PER_PART] = value;
    part.open--;
    this.#length = Math.max(this.#length, job + 1);
    if (this.#packing !== undefined && part.open === 0 && part.values.length === JOBS_PER_PART)
      this.#parts[number] = { packed: this.#pack(part.values, this.#packing) };
  }

  at(job: number): CwlValue {
    const part = this.#parts[Math.floor(job / JOBS_PER_PART)];
    return (part && this.#valuesOf(part)[job % JOBS_PER_PART]) ?? null;
  }

  /** Unpacks one part at a time. */
  *[Symbol.iterator](): Generator<CwlValue> {
    for (const part of this.#parts) yield* this.#valuesOf(part);
  }

  /** The limit that the packed values exceed, if any. Ignores the values that are not packed, which are few. */
  exceeds({ valueItems, valueDepth }: Pick<CwlLimits, LinkLimit>): LinkLimit | undefined {
    if (this.#length + this.#members > valueItems) return "valueItems";
    return this.#depth + 1 > valueDepth ? "valueDepth" : undefined;
  }

  #pack(values: readonly CwlValue[], packing: Packing): Uint8Array {
    for (const value of values) this.#depth = Math.max(this.#depth, this.#measure(value));
    return packing.pack(values);
  }

  /** Counts the members of a value; returns its depth. */
  #measure(value: CwlValue): number {
    if (typeof value !== "object" || value === null) return 0;
    const members: readonly CwlValue[] = isArray(value) ? value : Object.values(value);
    this.#members += members.length;
    return 1 + members.reduce<number>((deepest, member) => Math.max(deepest, this.#measure(member)), 0);
  }

  #valuesOf(part: Part): readonly CwlValue[] {
    if ("values" in part) return part.values;
    if (this.#read?.part !== part) this.#read = { part, values: this.#packing?.unpack(part.packed) ?? [] };
    return this.#read.values;
  }
}
