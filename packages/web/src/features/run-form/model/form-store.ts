import type { FieldProblem } from "./check-value.ts";
import type { NamedSamples } from "./named-samples.ts";
import { jsonPointer } from "@weft/shared/json-pointer.ts";
import { valueAt, withValueAt, type FormPath } from "./form-path.ts";

export type InputValues = Readonly<Record<string, unknown>>;

/**
 * The state of a run form: the CWL input object itself, so that the form, the JSON view and what is sent are one thing.
 * A field listens to its own value only; typing redraws one field, however many there are.
 */
export class FormStore {
  readonly #listeners = new Set<() => void>();
  #values: InputValues;
  #problems: readonly FieldProblem[] = [];

  #samples: NamedSamples | undefined;

  constructor(values: InputValues, samples?: NamedSamples) {
    this.#values = values;
    this.#samples = samples;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly values = (): InputValues => this.#values;

  readonly problems = (): readonly FieldProblem[] => this.#problems;

  /** Names that a sheet gave; whether they still fit is told by namesStillFit. */
  readonly samples = (): NamedSamples | undefined => this.#samples;

  get(path: FormPath): unknown {
    return valueAt(this.#values, path);
  }

  /** `undefined` takes the value away. Problems at and below the place are dropped: they spoke of the old value. */
  set(path: FormPath, value: unknown): void {
    // withValueAt gives an object for a path that begins with a name, which all paths of inputs do.
    this.#values = withValueAt(this.#values, path, value) as InputValues;
    const pointer = jsonPointer(path);
    this.#problems = this.#problems.filter((problem) => !isAtOrBelow(problem.pointer, pointer));
    this.#notify();
  }

  replaceValues(values: InputValues): void {
    this.#values = values;
    this.#problems = [];
    this.#notify();
  }

  /** Takes the lists of a sample sheet over, with the names of their entries where it has some. */
  fillLists(lists: NamedSamples["lists"], names: readonly string[] | undefined): void {
    this.#samples = names && { names, lists };
    this.replaceValues({ ...this.#values, ...lists });
  }

  setSamples(samples: NamedSamples | undefined): void {
    this.#samples = samples;
    this.#notify();
  }

  setProblems(problems: readonly FieldProblem[]): void {
    this.#problems = problems;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Whether `pointer` is `ancestor` or lies inside it. */
export function isAtOrBelow(pointer: string, ancestor: string): boolean {
  return pointer === ancestor || pointer.startsWith(`${ancestor}/`);
}
