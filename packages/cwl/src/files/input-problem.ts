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
  /** One sentence: what was expected and what was found. */
  readonly message: string;
  readonly hint?: string;
}

/** A pointer to a member of what another pointer points to. */
export function pointerTo(parent: string, member: string | number): string {
  return `${parent}/${String(member).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
