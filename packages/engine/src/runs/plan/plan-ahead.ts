import { runExpressionTool } from "@weft/cwl/outputs/run-expression-tool.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Advance, Call, StepFailure } from "@weft/cwl/workflow/advance.ts";
import type { PlannedJobCache } from "@weft/shared/records/job-record.ts";
import type { BoundJob } from "../../jobs/job.ts";
import type { RunProgress } from "../drive/run-progress.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";

/** The cache decision for a planned job, and the outputs that it would reuse. */
export interface PredictedCache {
  readonly cache: PlannedJobCache;
  readonly outputs: CwlObject | undefined;
}

export type CacheOfJob = (call: Call, job: BoundJob) => Promise<PredictedCache>;

/**
 * The calls of a network as far as they are known before anything runs: those that could start immediately, and those after
 * a job whose outputs are known without running it, because an earlier job produced them or because it only computes
 * values.
 */
export class PlanAhead {
  readonly #progress: RunProgress;
  readonly #enough: number;
  readonly #waiting: Call[] = [];
  readonly #ended = new Map<string, number>();
  #failure: StepFailure | undefined;

  /** Pauses while `enough` calls are waiting. */
  constructor(progress: RunProgress, enough: number) {
    this.#progress = progress;
    this.#enough = enough;
  }

  /** The first step that could not start. */
  get failure(): StepFailure | undefined {
    return this.#failure;
  }

  /** The number of calls with known outputs, by path of the step. */
  get ended(): ReadonlyMap<string, number> {
    return this.#ended;
  }

  async start(inputs: CwlObject): Promise<void> {
    await this.#add(await this.#progress.start(inputs));
  }

  next(): Call | undefined {
    return this.#waiting.shift();
  }

  /** Continues as if a call had ended with these outputs. */
  async endedWith({ id, step }: Call, outputs: CwlObject): Promise<void> {
    this.#ended.set(step, (this.#ended.get(step) ?? 0) + 1);
    await this.#add(await this.#progress.callEnded(id, { status: "success", outputs }));
  }

  async #add(advance: Advance): Promise<void> {
    for (let next = advance; ; next = await this.#progress.nextCalls()) {
      this.#waiting.push(...next.calls);
      this.#failure ??= next.failures[0];
      if (!next.isPending || this.#failure !== undefined || this.#waiting.length >= this.#enough) return;
    }
  }
}

/** The outputs of a job that only computes values; undefined for any other. Rejects with CwlFailure. */
export async function computedOutputs(job: BoundJob, files: FileAccess): Promise<CwlObject | undefined> {
  const { process: tool, requirements, evaluator, inputs } = job;
  if (tool.class !== "ExpressionTool") return undefined;
  return runExpressionTool({ tool, requirements, inputs, evaluator, files });
}
