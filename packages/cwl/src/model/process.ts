import type { Expression, InputBinding, LoadListing, OutputBinding, SecondaryFilePattern } from "./binding.ts";
import type { SourcePosition } from "../diagnostic.ts";
import type { CwlType } from "./cwl-type.ts";
import type { CwlValue } from "./cwl-value.ts";
import type { CwlVersion } from "./cwl-version.ts";
import type { Requirement } from "./requirement.ts";

export type LinkMerge = "merge_nested" | "merge_flattened";
export type PickValue = "first_non_null" | "the_only_non_null" | "all_non_null";
export type ScatterMethod = "dotproduct" | "nested_crossproduct" | "flat_crossproduct";

export type Process = CommandLineTool | ExpressionTool | Workflow | Operation;

/** The fields that all processes share. CWL v1.2 Workflow.html#Workflow, CommandLineTool.html#CommandLineTool. */
interface ProcessBase {
  /**
   * Absolute URI, with a fragment if the document has an id for the process or the process is inline; unique among all loaded
   * processes.
   */
  readonly id: string;
  /** Last part of the id, or the file's name without its extension if the process has no id. */
  readonly name: string;
  readonly label?: string;
  readonly doc?: string;
  /** The version that the document was written for. The model itself is always v1.2, because documents are upgraded on load. */
  readonly cwlVersion: CwlVersion;
  readonly inputs: readonly InputParameter[];
  readonly outputs: readonly OutputParameter[];
  readonly requirements: readonly Requirement[];
  readonly hints: readonly Requirement[];
  /** Requirements that the document's version implies; any hint takes precedence, and nested processes do not inherit them. */
  readonly defaults?: readonly Requirement[];
  readonly intent: readonly string[];
  readonly position: SourcePosition;
}

export interface CommandLineTool extends ProcessBase {
  readonly class: "CommandLineTool";
  readonly baseCommand: readonly string[];
  readonly arguments: readonly (Expression | InputBinding)[];
  readonly stdin?: Expression;
  readonly stdout?: Expression;
  readonly stderr?: Expression;
  readonly successCodes: readonly number[];
  readonly temporaryFailCodes: readonly number[];
  readonly permanentFailCodes: readonly number[];
}

export interface ExpressionTool extends ProcessBase {
  readonly class: "ExpressionTool";
  readonly expression: Expression;
}

/** An abstract process, which can be listed and checked but not run. */
export interface Operation extends ProcessBase {
  readonly class: "Operation";
}

export interface Workflow extends ProcessBase {
  readonly class: "Workflow";
  readonly steps: readonly WorkflowStep[];
}

export interface WorkflowStep {
  /** Short name within its workflow. */
  readonly id: string;
  readonly label?: string;
  readonly doc?: string;
  readonly in: readonly StepInput[];
  /** Short names of the outputs that are made available as `<step>/<output>`. */
  readonly out: readonly string[];
  readonly run: Process;
  /** The reference in `run` as written; absent if the process is inline. */
  readonly runReference?: string;
  readonly requirements: readonly Requirement[];
  readonly hints: readonly Requirement[];
  /** Short names of scattered step inputs, in order; empty when the step is not scattered. */
  readonly scatter: readonly string[];
  readonly scatterMethod?: ScatterMethod;
  /** The condition under which the step runs; a looped step has its condition in `loop` instead. */
  readonly when?: Expression;
  readonly loop?: StepLoop;
  readonly position: SourcePosition;
}

/**
 * A looped step: the requirement `cwltool:Loop` of v1.2, or `loop`, `when` and `outputMethod` of a
 * step of v1.3. Never together with `scatter`.
 */
export interface StepLoop {
  /** Evaluated on the inputs of each iteration before it starts, including the first; false ends the loop. */
  readonly when: Expression;
  /** Inputs that change from the second iteration on; the others keep their first value. */
  readonly inputs: readonly LoopInput[];
  /** The value of each output of the step: that of the last iteration (null if there was none), or a list of all values. */
  readonly outputMethod: "last" | "all";
  readonly position: SourcePosition;
}

/**
 * A link from the outputs of one iteration to an input of the next. Its `source` holds short names of the step's own
 * outputs; in `valueFrom`, `self` is their value, and `inputs` are the inputs of the previous iteration.
 */
export interface LoopInput extends Link {
  /** Short name of one of the step's inputs. */
  readonly id: string;
  /** Replaces null from the source. */
  readonly default?: CwlValue;
  readonly valueFrom?: Expression;
  readonly position: SourcePosition;
}

/** A link to a step input or workflow output: its sources, and how several values are merged. */
export interface Link {
  /** `<workflow input>` or `<step>/<output>`, short names. */
  readonly source: readonly string[];
  /** True if `source` is a list in the document. Even a list of one source is merged into an array. */
  readonly sourceIsList: boolean;
  readonly linkMerge?: LinkMerge;
  readonly pickValue?: PickValue;
}

/** The step that a source `step/output` names; undefined for an input of the workflow. */
export function sourceStep(source: string): string | undefined {
  const slash = source.lastIndexOf("/");
  return slash === -1 ? undefined : source.slice(0, slash);
}

export interface StepInput extends Link {
  readonly id: string;
  readonly label?: string;
  readonly default?: CwlValue;
  readonly valueFrom?: Expression;
  readonly loadContents: boolean;
  readonly loadListing?: LoadListing;
  readonly position: SourcePosition;
}

interface ParameterBase {
  /** Short name. */
  readonly id: string;
  readonly label?: string;
  readonly doc?: string;
  readonly type: CwlType;
  readonly secondaryFiles: readonly SecondaryFilePattern[];
  readonly streamable: boolean;
  /** Format IRIs. An input may list several, also as expressions. */
  readonly format?: readonly Expression[];
  readonly position: SourcePosition;
}

export interface InputParameter extends ParameterBase {
  /** Absent if there is no default; `null` is a default of null. File locations in it are absolute URIs. */
  readonly default?: CwlValue;
  readonly loadContents: boolean;
  readonly loadListing?: LoadListing;
  readonly inputBinding?: InputBinding;
}

export interface OutputParameter extends ParameterBase {
  /** The binding; only for outputs of tools. */
  readonly outputBinding?: OutputBinding;
  /** The source of the value; only for the outputs of workflows. */
  readonly outputSource?: Link;
}
