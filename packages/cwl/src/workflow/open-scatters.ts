import { stepAt, type Frame, type JobPlace } from "./frame.ts";
import type { ExpandedStep } from "./expand-step.ts";

/** A scattered step with jobs left to create. */
export interface OpenScatter {
  readonly place: Pick<JobPlace, "frame" | "step">;
  /** Number of enclosing workflows. */
  readonly depth: number;
  readonly next: ExpandedStep["next"];
  /** Jobs created so far. */
  made: number;
}

/** The scattered steps with jobs left to create, oldest first. Decides which one creates the next job. */
export class OpenScatters {
  readonly #maxOpenCalls: number;
  readonly #scatters = new Set<OpenScatter>();
  /** True while jobs are created until `maxOpenCalls` calls are open. */
  #isFilling = false;

  constructor(maxOpenCalls: number) {
    this.#maxOpenCalls = maxOpenCalls;
  }

  add(place: OpenScatter["place"], next: OpenScatter["next"]): OpenScatter {
    const scatter = { place, depth: depthOf(place.frame), next, made: 0 };
    this.#scatters.add(scatter);
    return scatter;
  }

  /** Counts a job that was created; returns its index. */
  countJob(scatter: OpenScatter): number {
    const index = scatter.made++;
    const { state } = stepAt(scatter.place.frame, scatter.place.step);
    if (scatter.made === state.results.length) this.#scatters.delete(scatter);
    return index;
  }

  /**
   * The scattered step that creates the next job: the one with the fewest jobs in progress, so that none starves; among
   * equals the innermost, so that few nested workflows are open. A step with no job in progress does not wait for others.
   */
  next(openCalls: number): OpenScatter | undefined {
    if (openCalls * 2 < this.#maxOpenCalls) this.#isFilling = true;
    if (openCalls >= this.#maxOpenCalls) this.#isFilling = false;
    let best: OpenScatter | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const scatter of this.#scatters) {
      const inProgress = jobsInProgress(scatter);
      if (inProgress > fewest || (inProgress === fewest && scatter.depth <= (best?.depth ?? -1))) continue;
      best = scatter;
      fewest = inProgress;
    }
    return this.#isFilling || fewest === 0 ? best : undefined;
  }
}

/** Jobs of a scattered step that exist and have not ended. */
function jobsInProgress({ place, made }: OpenScatter): number {
  const { state } = stepAt(place.frame, place.step);
  return state.openJobs - (state.results.length - made);
}

function depthOf(frame: Frame): number {
  let depth = 0;
  for (let { parent } = frame; parent !== undefined; { parent } = parent.frame) depth++;
  return depth;
}
