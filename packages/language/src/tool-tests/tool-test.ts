import type { SourcePosition } from "@weft/cwl/diagnostic.ts";
import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import type { RequirementOverrides } from "@weft/cwl/model/override-requirements.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";

/** One test of a tool or network: inputs and expectations. Its format: docs/reference/tests.md. */
export interface ToolTest {
  readonly doc: string | undefined;
  readonly inputs: CwlObject;
  /** `cwl:requirements` and `cwltool:overrides` of the inputs. */
  readonly requirements: readonly Requirement[];
  readonly overrides: RequirementOverrides;
  /** The expected failure; undefined: the run must succeed. */
  readonly failure: ExpectedFailure | undefined;
  readonly checks: readonly Check[];
}

export interface ExpectedFailure {
  readonly at: SourcePosition;
  /** The expected exit code; undefined for any failure. */
  readonly exitCode: number | undefined;
}

/** One thing that must be true of a run. */
export interface Check {
  readonly at: Place;
  /** Leads from the output object to the value; empty for checks of the run itself. */
  readonly path: readonly Segment[];
  readonly expected: Expected;
}

/** The position of an expectation in the file of its test. */
export interface Place extends SourcePosition {
  /** UTF-16 offsets of the expected value in the file, if it is one word or number that can be replaced. */
  readonly span?: { readonly start: number; readonly end: number };
}

export type Segment =
  /** An output, or a field of a record. */
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "item"; readonly index: number }
  /** Every item of a list. */
  | { readonly kind: "each" }
  /** An entry of a Directory. */
  | { readonly kind: "entry"; readonly name: string }
  /** A secondary file of a File. */
  | { readonly kind: "secondary"; readonly name: string };

export interface Margin {
  readonly absolute: number;
  readonly relative: number;
}

/** The margin of values without one. */
export const EXACT: Margin = { absolute: 0, relative: 0 };

export interface Range {
  readonly min: number;
  readonly max: number;
}

export type Expected =
  | { readonly kind: "value"; readonly value: CwlValue; readonly margin: Margin }
  | { readonly kind: "class"; readonly name: string }
  | { readonly kind: "basename" | "checksum"; readonly text: string }
  /** Bytes of a file. */
  | { readonly kind: "size"; readonly range: Range }
  | { readonly kind: "lines"; readonly range: Range }
  /** Items of a list, or entries of a Directory. */
  | { readonly kind: "count"; readonly range: Range }
  /** The whole text of a file, or parts of it. */
  | { readonly kind: "contents" | "contains" | "not_contains"; readonly text: string }
  | { readonly kind: "matches"; readonly pattern: string }
  | { readonly kind: "json"; readonly pointer: string; readonly value: CwlValue; readonly margin: Margin }
  | ImageExpectation
  | { readonly kind: "max_memory_mib" | "max_seconds"; readonly most: number }
  | { readonly kind: "message"; readonly text: string };

/** The expectation that an image looks like another one. */
export interface ImageExpectation {
  readonly kind: "image";
  /** Absolute URI of the expected image. */
  readonly location: string;
  /** The maximum difference from the expected value, as a fraction of the range of values. */
  readonly tolerance: number;
  /** Fraction of the values that may differ by more. */
  readonly outliers: number;
}

/** An expectation that was not met. */
export interface Unmet {
  readonly at: Place;
  /** The part of the run: `outputs.table.lines`; empty for the run itself. */
  readonly part: string;
  readonly message: string;
  /** The actual value, if it can replace the expected one in the file. */
  readonly actual?: string | number | bigint | boolean | null;
}

/** The problem of a value; undefined if the value is as expected. */
export type Judged = Pick<Unmet, "message" | "actual"> | undefined;
