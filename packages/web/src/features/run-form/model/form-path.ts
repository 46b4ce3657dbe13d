import { unescapeSegment } from "@weft/shared/json-pointer.ts";

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
