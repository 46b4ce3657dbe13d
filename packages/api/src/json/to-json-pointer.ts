/** A path of keys and indices as a JSON Pointer (RFC 6901): `["inputs", "a/b", 0]` → `/inputs/a~1b/0`. */
export function toJsonPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
