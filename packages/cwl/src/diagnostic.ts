/** A position in a source file; line and column count from 1, columns in UTF-16 code units. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export type Severity = "error" | "warning";

/**
 * One problem in a document or an input object. Reading an invalid document yields a list of these and a best-effort
 * value, never an exception.
 */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable kebab-case word for programs, such as `unknown-field`. */
  readonly code: string;
  /** One sentence for people, naming what was found and what was expected. */
  readonly message: string;
  /** File URI or path of the source, as passed to the reader. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Advice for the user, if known. */
  readonly hint?: string;
}
