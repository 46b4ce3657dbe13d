import type { StaticNames } from "./static-value.ts";

/** Field names and list indexes that lead from a part of the model to a string in its document. */
export type FieldPath = readonly (string | number)[];

/** A string of a document that is evaluated when its process runs, with the names that its expressions can use. */
export interface ExpressionSite {
  /** A part of the model: a process, step, parameter, binding or requirement. */
  readonly part: object;
  readonly path: FieldPath;
  /** The path, as failures at run time name it: `outputs.report.outputBinding.glob`. */
  readonly place: string;
  readonly text: string;
  readonly names: StaticNames;
}
