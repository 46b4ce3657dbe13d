/** A path of keys and indices as a JSON Pointer (RFC 6901): `["inputs", "a/b", 0]` → `/inputs/a~1b/0`. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${escapeSegment(String(key))}`).join("");
}

/** One key as a segment of a JSON Pointer, without the slash in front: `a/b` → `a~1b`. */
export function escapeSegment(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The key that a segment of a JSON Pointer names: `a~1b` → `a/b`. */
export function unescapeSegment(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}
