import type { GiveWay } from "../give-way.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import { fieldOf } from "../values/value-kind.ts";
import { ResultList, type Packing } from "./result-list.ts";
import { gatherResults, type GatherShape } from "./step/scatter-jobs.ts";

/** The outputs of all jobs of one step: one list for each output that the step names. */
export class JobResults {
  readonly #lists: ReadonlyMap<string, ResultList>;
  #length: number;

  /** `outputs`: names of the outputs to keep. `jobs`: number of jobs, 0 if unknown. */
  constructor(outputs: readonly string[], jobs = 0, packing?: Packing) {
    this.#lists = new Map(outputs.map((output) => [output, new ResultList(jobs, packing)]));
    this.#length = jobs;
  }

  get length(): number {
    return this.#length;
  }

  /** Records the outputs of a job, if it has any. Call this once for each job, unless the number of jobs is unknown. */
  set(job: number, outputs: CwlObject | undefined): void {
    this.#length = Math.max(this.#length, job + 1);
    for (const [output, values] of this.#lists)
      values.set(job, outputs === undefined ? null : (fieldOf(outputs, output) ?? null));
  }

  /** The value of one job; null if it has none (yet). */
  value(output: string, job: number): CwlValue {
    return this.#lists.get(output)?.at(job) ?? null;
  }

  list(output: string): ResultList | undefined {
    return this.#lists.get(output);
  }
}

/** The outputs of an ended step in the shape of its scatter. Packed lists stay packed until a value is needed. */
export class StepOutputs {
  readonly #shape: GatherShape;
  readonly #values = new Map<string, CwlValue>();
  readonly #packed = new Map<string, ResultList>();

  constructor(outputs: readonly string[], results: JobResults, shape: GatherShape) {
    this.#shape = shape;
    for (const output of outputs) {
      const list = results.list(output);
      if (list === undefined) continue;
      if (list.isPacked) this.#packed.set(output, list);
      else this.#values.set(output, this.#gather(list));
    }
  }

  value(output: string): CwlValue {
    const list = this.#packed.get(output);
    if (list !== undefined) {
      this.#values.set(output, this.#gather(list));
      this.#packed.delete(output);
    }
    return this.#values.get(output) ?? null;
  }

  /** Unpacks a list in slices, so that `value` returns it immediately. */
  async load(output: string, giveWay: GiveWay): Promise<void> {
    const list = this.#packed.get(output);
    if (list === undefined) return;
    const values: CwlValue[] = [];
    for (const value of list) {
      values.push(value);
      const due = giveWay();
      if (due !== undefined) await due;
    }
    this.#values.set(
      output,
      gatherResults(this.#shape, (job) => values[job] ?? null),
    );
    this.#packed.delete(output);
  }

  /** The list of an output that is still packed; undefined if the output is not packed or not a flat list. */
  packedList(output: string): ResultList | undefined {
    const isFlat = typeof this.#shape !== "number" && this.#shape.every((job, index) => job === index);
    return isFlat ? this.#packed.get(output) : undefined;
  }

  #gather(list: ResultList): CwlValue {
    return gatherResults(this.#shape, (job) => list.at(job));
  }
}
