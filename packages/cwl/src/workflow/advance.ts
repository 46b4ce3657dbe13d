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
  /** The inputs before they are bound: defaults of the process are not applied. */
  readonly inputs: CwlObject;
  readonly sampleId: string | undefined;
}

export type CallOutcome =
  | { readonly status: "success"; readonly outputs: CwlObject }
  | { readonly status: "failed" }
  | { readonly status: "skipped" };

/** A failure outside of calls, such as that of a link, `valueFrom`, `when`, a scatter, or the inputs of a nested workflow. */
export interface StepFailure {
  /** The path of the step, or of the workflow (empty for the outermost) if one of its outputs failed. */
  readonly step: string;
  /** The id that the call would have had, if the failure concerns a single call. */
  readonly callId: string | undefined;
  readonly sampleId: string | undefined;
  readonly code: CwlFailureCode;
  readonly message: string;
  readonly place: string | undefined;
  readonly hint: string | undefined;
}

/** The outputs of a workflow. Lists of very many job results stay packed. */
export type EndedOutputs = Readonly<Record<string, CwlValue | ResultList>>;

/** The result of an event in a workflow: the calls that can start, failures, and the end. */
export interface Advance {
  readonly calls: readonly Call[];
  readonly failures: readonly StepFailure[];
  /** True if more can be decided without waiting for a call: call `nextCalls` after yielding. */
  readonly isPending: boolean;
  /** Present once no more calls can start. After a failure, `outputs` has null for unavailable outputs. */
  readonly ended: { readonly status: "success" | "failed"; readonly outputs: EndedOutputs } | undefined;
}
