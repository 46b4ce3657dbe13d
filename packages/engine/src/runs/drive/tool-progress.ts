import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { RequirementSet } from "@weft/cwl/model/effective-requirements.ts";
import type { CommandLineTool, ExpressionTool, Operation } from "@weft/cwl/model/process.ts";
import type { Advance, CallOutcome } from "@weft/cwl/workflow/advance.ts";
import type { RunProgress } from "./run-plan.ts";

const NOTHING: Advance = { calls: [], failures: [], isPending: false, ended: undefined };

/** A run of a single tool: one call, whose outputs are the run's. */
export class ToolProgress implements RunProgress {
  readonly #process: CommandLineTool | ExpressionTool | Operation;
  readonly #requirements: RequirementSet;
  readonly #sampleId: string | undefined;

  constructor(process: CommandLineTool | ExpressionTool | Operation, requirements: RequirementSet, sampleId?: string) {
    this.#process = process;
    this.#requirements = requirements;
    this.#sampleId = sampleId;
  }

  async start(inputs: CwlObject): Promise<Advance> {
    const call = {
      id: "",
      step: "",
      scatterIndex: [],
      process: this.#process,
      requirements: this.#requirements,
      inputs,
      sampleId: this.#sampleId,
    };
    return { ...NOTHING, calls: [call] };
  }

  stepSizes() {
    return new Map([["", { jobs: 1, skipped: 0, isFinal: true }]]);
  }

  outputNames() {
    return new Map<string, readonly string[]>();
  }

  async callEnded(_callId: string, outcome: CallOutcome): Promise<Advance> {
    const ended =
      outcome.status === "success"
        ? { status: "success" as const, outputs: outcome.outputs }
        : { status: "failed" as const, outputs: {} };
    return { ...NOTHING, ended };
  }

  async nextCalls(): Promise<Advance> {
    return NOTHING;
  }
}
