import type { Severity } from "../diagnostic.ts";

export type InputProblemCode =
  | "missing"
  | "wrong-type"
  | "out-of-range"
  | "unknown-symbol"
  | "unknown-input"
  | "unknown-field"
  | "invalid-file"
  | "missing-file"
  | "missing-secondary-file"
  | "wrong-format"
  | "too-large"
  | "limit-exceeded"
  | "expression";

/** One thing that is wrong with an input object. */
export interface InputProblem {
  readonly severity: Severity;
  /** JSON pointer (RFC 6901) into the input object: `/images/3/location`. */
  readonly pointer: string;
  readonly code: InputProblemCode;
  /** One sentence that names the expected and the actual value. */
  readonly message: string;
  readonly hint?: string;
}

const SHOWN_HEAD = 60;
const SHOWN_TAIL = 40;

/** Shortens a long pointer for a message to its first and last segments. */
export function shownPointer(pointer: string): string {
  if (pointer.length <= SHOWN_HEAD + SHOWN_TAIL) return pointer;
  const head = pointer.slice(0, SHOWN_HEAD);
  const tail = pointer.slice(-SHOWN_TAIL);
  const headEnd = head.lastIndexOf("/");
  const tailStart = tail.indexOf("/");
  // A segment longer than the head or tail is cut.
  return `${headEnd > 0 ? head.slice(0, headEnd) : head}/…${tailStart < 0 ? tail : tail.slice(tailStart)}`.toWellFormed();
}

/** The pointer to a member of the value at `parent`. */
export function pointerTo(parent: string, member: string | number): string {
  return `${parent}/${typeof member === "number" ? member : member.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
