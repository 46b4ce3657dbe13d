import type { RecordedStep } from "@weft/shared/events/run-events.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RunProgress } from "./run-progress.ts";

/** Records how many jobs each step of one run has, whenever that changes. */
export class StepSizeLog {
  readonly #runId: string;
  readonly #journal: Pick<Journal, "append">;
  /** What the log knows, by step. */
  readonly #sizes = new Map<string, string>();

  constructor(runId: string, journal: Pick<Journal, "append">) {
    this.#runId = runId;
    this.#journal = journal;
  }

  async record(progress: Pick<RunProgress, "stepSizes">): Promise<void> {
    const steps: RecordedStep[] = [];
    for (const [step, { jobs, skipped, isFinal }] of progress.stepSizes()) {
      const text = `${jobs - skipped} ${isFinal}`;
      if (this.#sizes.get(step) === text) continue;
      this.#sizes.set(step, text);
      steps.push({ step, jobs_total: jobs - skipped, jobs_total_is_final: isFinal });
    }
    if (steps.length > 0)
      await this.#journal.append([{ type: "run.steps", run_id: this.#runId, actor: "engine", data: { steps } }]);
  }
}
