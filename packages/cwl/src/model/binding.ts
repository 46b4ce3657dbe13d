/** A string of the document that may hold `$(…)` or `${…}`; evaluated when its process runs. */
export type Expression = string;

export type LoadListing = "no_listing" | "shallow_listing" | "deep_listing";

/** CWL v1.2 CommandLineTool.html#CommandLineBinding. */
export interface InputBinding {
  readonly position?: number | Expression;
  readonly prefix?: string;
  readonly separate: boolean;
  readonly itemSeparator?: string;
  readonly valueFrom?: Expression;
  readonly shellQuote: boolean;
}

/** CWL v1.2 CommandLineTool.html#CommandOutputBinding. */
export interface OutputBinding {
  readonly glob?: readonly Expression[];
  readonly loadContents: boolean;
  readonly loadListing?: LoadListing;
  readonly outputEval?: Expression;
}

/** CWL v1.2 CommandLineTool.html#SecondaryFileSchema. */
export interface SecondaryFilePattern {
  readonly pattern: Expression;
  /** Whether the file must exist. Default: true for inputs, false for outputs. */
  readonly required?: boolean | Expression;
}
