import type { CwlFailureCode } from "../cwl-failure.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import type { CommandLineTool, ExpressionTool, Operation } from "../model/process.ts";
import type { ResultList } from "./result-list.ts";

/** One execution of a process that is not a workflow, ready to run. */
export interface Call {
  /** Unique and stable in the run: `outer[2]/inner[0]`. */
  readonly id: string;
  /** `outer/inner`. */
  readonly step: string;
  /** Positions on the scattered axes, the outermost first. */
  readonly scatterIndex: readonly number[];
  readonly process: CommandLineTool | ExpressionTool | Operation;
  readonly requirements: RequirementSet;
  /** Not yet bound: defaults of the process are not applied. */
  readonly inputs: CwlObject;
  readonly sampleId: string | undefined;
}

export type CallOutcome =
  | { readonly status: "success"; readonly outputs: CwlObject }
  | { readonly status: "failed" }
  | { readonly status: "skipped" };

/** Something that failed before or between calls: a link, `valueFrom`, `when`, scatter, the inputs of a nested workflow. */
export interface StepFailure {
  /** Path of the step; of the workflow (empty for the outermost) if one of its outputs failed. */
  readonly step: string;
  /** The id that the call would have had, if the failure concerns a single call. */
  readonly callId: string | undefined;
  readonly sampleId: string | undefined;
  readonly code: CwlFailureCode;
  readonly message: string;
  readonly place: string | undefined;
  readonly hint: string | undefined;
}

/** The outputs of a workflow. Lists with an element for each of very many jobs are not in memory as a whole. */
export type EndedOutputs = Readonly<Record<string, CwlValue | ResultList>>;

/** The consequences of an event in a workflow. */
export interface Advance {
  readonly calls: readonly Call[];
  readonly failures: readonly StepFailure[];
  /** True if more can be decided without waiting for a call: call `nextCalls` after yielding. */
  readonly isPending: boolean;
  /** Present once no call can start any more. Failed: the outputs that exist, null for the others. */
  readonly ended: { readonly status: "success" | "failed"; readonly outputs: EndedOutputs } | undefined;
}
