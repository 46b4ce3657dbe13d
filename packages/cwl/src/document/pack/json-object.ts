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

/** The list, undefined if it is empty: most lists of the language may be left out then. */
export function unlessEmpty<T extends JsonValue>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** True, else undefined: flags of the language are false by default. */
export function ifTrue(flag: boolean): true | undefined {
  return flag ? true : undefined;
}
