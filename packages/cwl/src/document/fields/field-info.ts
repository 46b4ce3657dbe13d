import type { Reader, Scope } from "./scope.ts";

/** The kinds of values that a field allows in addition to its `words`. */
export type ValueKind = "type" | "source" | "run" | "format" | "scatter" | "output-name" | "text";

/** A field as editors explain it. */
export interface FieldInfo {
  readonly doc: string;
  /** The type as people write it. */
  readonly type: string;
  readonly default?: string;
  readonly words?: readonly string[];
  readonly value?: ValueKind;
  /** The kind of object in the field: one, a list of them, or a map from names to them. */
  readonly of?: string;
  /** The field that a value in a map sets if the value itself is not a map. */
  readonly predicate?: string;
  readonly isMap?: true;
}

const SHAPES = new WeakMap<object, Partial<FieldInfo>>();

/** Registers the kind of value that a reader reads. */
export function shaped<T, S extends Scope = Scope>(shape: Partial<FieldInfo>, reader: Reader<T, S>): Reader<T, S> {
  SHAPES.set(reader, shape);
  return reader;
}

/** The type of a reader as people write it. */
export function typeOf(reader: object): string {
  return SHAPES.get(reader)?.type ?? "text";
}

/** Joins the facts from the reader of a field and from its table; undefined without a description. */
export function infoOf(reader: object, told: Partial<FieldInfo>): FieldInfo | undefined {
  const { doc, type = typeOf(reader), ...info } = { ...SHAPES.get(reader), ...told };
  return doc === undefined ? undefined : { ...info, doc, type };
}
