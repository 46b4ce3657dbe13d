import type { JsonObject, JsonValue } from "../../model/json-value.ts";

/** An object without the fields that are undefined, its keys in code-unit order. */
export function jsonObject(fields: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  const object: { [key: string]: JsonValue } = Object.create(null);
  for (const key of Object.keys(fields).toSorted()) {
    const value = fields[key];
    if (value !== undefined) object[key] = value;
  }
  return object;
}

/** Returns undefined for an empty list, because CWL documents may omit most empty lists. */
export function unlessEmpty<T extends JsonValue>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** Returns undefined for false, which is the default of most flags in CWL. */
export function ifTrue(flag: boolean): true | undefined {
  return flag ? true : undefined;
}
