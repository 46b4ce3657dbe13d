import { PIN_FILE } from "../catalog/read-pin.ts";

const MAX_SEGMENTS = 12;
const MAX_SEGMENT_BYTES = 200;

/** The problem of a path of a file next to the document of a draft; undefined: none. */
export function pathProblem(path: string): string | undefined {
  const segments = path.split("/");
  if (segments.length > MAX_SEGMENTS) return `has more than ${MAX_SEGMENTS} folders`;
  for (const segment of segments) {
    if (segment === "" || segment === "." || segment === "..") return "must be relative, without empty names, . and ..";
    if (segment.startsWith(".")) return "must not contain names that begin with a dot";
    if (/[\\\0-\x1f\x7f]/.test(segment) || segment !== segment.trim())
      return "must not contain backslashes, control characters, or spaces around names";
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `has a name of more than ${MAX_SEGMENT_BYTES} bytes`;
  }
  const [first = ""] = segments;
  if (segments.length === 1 && first.endsWith(".cwl"))
    return "is where the document itself is; put further documents into a folder";
  return segments.some(isMark) || path === "__proto__" ? "has a name with another meaning" : undefined;
}

/** Files of a version that belong to the version itself, and are not copied to another one. */
export function isMark(name: string): boolean {
  return name === PIN_FILE || name === "DEPRECATED";
}

/** The other path that conflicts with a path, because one of the two would have to be a folder. */
export function folderConflict(path: string, others: Iterable<string>): string | undefined {
  for (const other of others) if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) return other;
  return undefined;
}
