import type { CwlValue } from "../../model/cwl-value.ts";
import type { JsonValue } from "../../model/json-value.ts";
import { relativeReference } from "../../values/resolve-reference.ts";
import { jsonObject } from "./json-object.ts";
import type { PackScope } from "./pack-scope.ts";

/** A value with the locations of its Files and Directories relative to the root document. */
export function packValue(value: CwlValue, scope: PackScope): JsonValue {
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map((item) => packValue(item, scope));
  const isFile = "class" in value && (value.class === "File" || value.class === "Directory");
  const fields = Object.entries(value).map(([field, item]: [string, CwlValue]): [string, JsonValue] => {
    const isLocation = isFile && field === "location" && typeof item === "string" && !item.startsWith("_:");
    return [field, isLocation ? relativeReference(item, scope.rootUri) : packValue(item, scope)];
  });
  return jsonObject(Object.fromEntries(fields));
}

/** Array.isArray does not narrow readonly arrays. */
function isList(value: CwlValue): value is readonly CwlValue[] {
  return Array.isArray(value);
}
