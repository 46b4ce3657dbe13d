import type { FieldProblem } from "./check-value.ts";
import { NAMES_POINTER, type NamedSamples } from "./named-samples.ts";
import { START_SETTINGS, type RunSettings } from "./run-settings.ts";
import { jsonPointer } from "@weft/shared/json-pointer.ts";
import { pointerKeys, valueAt, withValueAt, type FormPath } from "./form-path.ts";

export type InputValues = Readonly<Record<string, unknown>>;

/**
 * The state of a run form: the CWL input object itself, so that the form, the JSON view and the request share one
 * state. A field subscribes only to its own value, so typing rerenders one field.
 */
export class FormStore {
  readonly #listeners = new Set<() => void>();
  #values: InputValues;
  #problems: readonly FieldProblem[] = [];

  #samples: NamedSamples | undefined;
  #settings: RunSettings;

  constructor(values: InputValues, samples?: NamedSamples, settings: RunSettings = START_SETTINGS) {
    this.#values = values;
    this.#samples = samples;
    this.#settings = settings;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly values = (): InputValues => this.#values;

  readonly problems = (): readonly FieldProblem[] => this.#problems;

  /** Names of the rows of the sample grid; namesStillFit checks whether they are up to date. */
  readonly samples = (): NamedSamples | undefined => this.#samples;

  readonly settings = (): RunSettings => this.#settings;

  get(path: FormPath): unknown {
    return valueAt(this.#values, path);
  }

  /** `undefined` removes the value. Drops problems at and below the path, which were about the old value. */
  set(path: FormPath, value: unknown): void {
    // withValueAt returns an object for a path that starts with a name, as all input paths do.
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

  /** Replaces the lists of the sample grid with the names of their entries. `undefined` removes a list. */
  setLists(lists: Readonly<Record<string, readonly unknown[] | undefined>>, samples: NamedSamples | undefined): void {
    const before = this.#values;
    const changed = Object.entries(lists).filter(([id, list]) => before[id] !== list);
    const next = { ...before, ...lists };
    for (const [id, list] of changed) if (list === undefined) delete next[id];
    this.#values = next;
    this.#samples = samples;
    const ids = new Set(changed.map(([id]) => id));
    this.#problems = this.#problems.filter(({ pointer }) => !isOutdated(pointer, { ids, before, next }));
    this.#notify();
  }

  setSamples(samples: NamedSamples | undefined): void {
    this.#samples = samples;
    this.#notify();
  }

  setSettings(settings: RunSettings): void {
    this.#settings = settings;
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

interface ListChange {
  readonly ids: ReadonlySet<string>;
  readonly before: InputValues;
  readonly next: InputValues;
}

/** Problems of an entry stay as long as its value is unchanged; problems of names or a whole list do not. */
function isOutdated(pointer: string, { ids, before, next }: ListChange): boolean {
  if (pointer.startsWith(`${NAMES_POINTER}/`)) return true;
  const [id = "", entry] = pointerKeys(pointer);
  if (!ids.has(id)) return false;
  return entry === undefined || valueAt(before[id], [Number(entry)]) !== valueAt(next[id], [Number(entry)]);
}

/** Whether `pointer` is `ancestor` or lies inside it. */
export function isAtOrBelow(pointer: string, ancestor: string): boolean {
  return pointer === ancestor || pointer.startsWith(`${ancestor}/`);
}
