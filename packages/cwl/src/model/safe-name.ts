/**
 * Checked names and paths from outside. Every function that turns a name into a path takes only these types, so the
 * compiler rejects an unchecked string.
 */

declare const checked: unique symbol;

/**
 * The name of one entry of a directory: not empty, not `.` or `..`, without `/`, NUL and lone surrogates. Control
 * characters are allowed, as file systems allow them. Lone surrogates are not, because two different names with them
 * become the same bytes on disk.
 */
export type SafeName = string & { readonly [checked]: "name" };

/** Safe names joined by single slashes: a path below a directory, without `.` and `..`. */
export type RelativePath = SafeName | (string & { readonly [checked]: "relative path" });

/** An absolute path as a job sees it, without `.`, `..`, empty segments and NUL. */
export type JobPath = string & { readonly [checked]: "job path" };

/** The string as a name; undefined if it is not a safe name. */
export function toSafeName(text: string): SafeName | undefined {
  // Only this cast turns a string into a name.
  return isSafeName(text) ? (text as SafeName) : undefined;
}

/** A name from Weft's own code. Throws for an unsafe name, which is a bug. */
export function safeName(text: string): SafeName {
  const name = toSafeName(text);
  if (name === undefined) throw new Error(`${JSON.stringify(text)} is not a safe name`);
  return name;
}

function isSafeName(text: string): boolean {
  return text !== "" && text !== "." && text !== ".." && !/[/\0]/.test(text) && text.isWellFormed();
}

/** The string as a path below a directory, without `.` and empty segments; undefined if it leaves or names the directory. */
export function toRelativePath(text: string): RelativePath | undefined {
  if (text.startsWith("/")) return undefined;
  const kept: string[] = [];
  for (const segment of text.split("/")) {
    if (segment === "..") {
      if (kept.pop() === undefined) return undefined;
    } else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  // Each kept segment was checked.
  return kept.length > 0 && kept.every(isSafeName) ? (kept.join("/") as RelativePath) : undefined;
}

/** The string as a normalized absolute path; undefined if it is relative or the root. */
export function toJobPath(text: string): JobPath | undefined {
  if (!text.startsWith("/")) return undefined;
  const relative = toRelativePath(text.slice(1));
  return relative === undefined ? undefined : (`/${relative}` as JobPath); // a slash before a relative path
}

/** Joins a directory of the engine and a path below it. */
export function joinJobPath(directory: string, path: RelativePath): JobPath {
  return `${directory}/${path}` as JobPath; // the engine chose the directory, and the path was checked
}

/** The directory of a path (empty for the root), and the name in it. */
export function splitJobPath(path: JobPath): { readonly folder: JobPath | ""; readonly name: SafeName } {
  const slash = path.lastIndexOf("/");
  // Both are parts of a checked path: its start, and its last segment.
  return { folder: path.slice(0, slash) as JobPath | "", name: path.slice(slash + 1) as SafeName };
}

/** The longest name that file systems accept, in bytes of UTF-8. */
export const MAX_NAME_BYTES = 255;

/** Numbers a name: `report_2.html`. Shortens the stem of a long name, so that file systems still accept it. */
export function numberedName(name: SafeName, number: number, ending: string): SafeName {
  const stem = [...name.slice(0, name.length - ending.length)];
  const numbered = () => `${stem.join("")}_${number}${ending}`;
  while (stem.length > 1 && new TextEncoder().encode(numbered()).length > MAX_NAME_BYTES) stem.pop();
  return numbered() as SafeName; // neither `.` nor `..`, and its parts were checked
}
