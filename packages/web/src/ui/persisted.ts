import { useSyncExternalStore } from "react";

/**
 * A value that the browser keeps for the next visit. `schema` turns any stored value into a valid one: null on the
 * first visit, or the value of an older version or of another program.
 */
export class Persisted<Value> {
  readonly #key: string;
  readonly #schema: (kept: unknown) => Value;
  readonly #nameOf: (key: string) => string;
  readonly #listeners = new Set<() => void>();
  #read: { readonly text: string | null; readonly value: Value } | undefined;

  /** `nameOf`: the name of the key in the browser; default: the key. */
  constructor(key: string, schema: (kept: unknown) => Value, nameOf = (name: string): string => name) {
    this.#key = key;
    this.#schema = schema;
    this.#nameOf = nameOf;
  }

  /** Returns the previous value unless it has changed. */
  readonly get = (): Value => {
    const text = localStorage.getItem(this.#nameOf(this.#key));
    if (this.#read?.text !== text || this.#read === undefined) this.#read = { text, value: this.#schema(parse(text)) };
    return this.#read.value;
  };

  readonly set = (value: Value): void => {
    localStorage.setItem(this.#nameOf(this.#key), typeof value === "string" ? value : JSON.stringify(value));
    for (const listener of this.#listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** A persisted value, and how to change it; the component renders again when anything changes it. */
export function usePersisted<Value>(persisted: Persisted<Value>): readonly [Value, (value: Value) => void] {
  return [useSyncExternalStore(persisted.subscribe, persisted.get), persisted.set];
}

/** A single word is kept as it is. */
function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return text;
  }
}
