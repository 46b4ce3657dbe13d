import { jsonPointer, unescapeSegment } from "@weft/shared/json-pointer.ts";
import type { InputRecord } from "@weft/shared/records/process-record.ts";
import type { FieldProblem } from "./check-value.ts";
import { NAMES_POINTER, type NamedSamples } from "./named-samples.ts";

export type InputValues = Readonly<Record<string, unknown>>;

/**
 * The state of a form with inputs: the CWL input object itself, so that the form, the JSON view and the request share one
 * state. A field subscribes only to its own value, so typing rerenders one field. `Settings` are all other entries.
 */
export class FormStore<Settings = unknown> {
  readonly #listeners = new Set<() => void>();
  #values: InputValues;
  #problems: readonly FieldProblem[] = [];

  #samples: NamedSamples | undefined;
  #settings: Settings;

  constructor(values: InputValues, samples: NamedSamples | undefined, settings: Settings) {
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

  readonly settings = (): Settings => this.#settings;

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

  setSettings(settings: Settings): void {
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

/** Path of a value within the inputs: field names and list indexes. */
export type FormPath = readonly (string | number)[];

export function valueAt(root: unknown, path: FormPath): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    // Objects here are plain JSON.
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }, root);
}

/**
 * A copy of `root` with another value at `path`; shares all other parts with the original. `undefined`
 * removes a field; within a list it leaves null, so that the other entries keep their places.
 */
export function withValueAt(root: unknown, path: FormPath, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === "number") {
    const list = Array.isArray(root) ? [...(root as readonly unknown[])] : [];
    list[key] = withValueAt(list[key], rest, value) ?? null;
    return list;
  }
  const fields =
    typeof root === "object" && root !== null && !Array.isArray(root) ? { ...(root as Record<string, unknown>) } : {};
  const next = withValueAt(fields[key], rest, value);
  if (next === undefined) delete fields[key];
  else fields[key] = next;
  return fields;
}

/** The keys of a JSON Pointer: `/a~1b/0` has `a/b` and `0`. */
export function pointerKeys(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map(unescapeSegment);
}

/**
 * The inputs without the elements at some positions of these lists. Undefined if no elements would remain or the
 * positions do not exist.
 */
export function withoutElements(
  values: InputValues,
  lists: readonly Pick<InputRecord, "id">[],
  indexes: readonly number[],
): InputValues | undefined {
  const left = new Set(indexes);
  const found = lists.flatMap(({ id }) => {
    const list: unknown = values[id];
    return Array.isArray(list) ? [[id, list as readonly unknown[]] as const] : [];
  });
  const length = Math.max(0, ...found.map(([, list]) => list.length));
  if (found.length === 0 || left.size >= length || indexes.some((index) => index >= length)) return undefined;
  return { ...values, ...Object.fromEntries(found.map(([id, list]) => [id, list.filter((_, at) => !left.has(at))])) };
}
