import type { CompiledNetwork } from "./compile-network.ts";

export interface StepSize {
  /** Jobs known so far, skipped ones included. */
  readonly jobs: number;
  readonly skipped: number;
  /** False while more jobs can become known. */
  readonly isFinal: boolean;
}

/** The sizes of all steps by path. Sizes of steps in nested workflows are totals over all executions. */
export function stepSizes(network: CompiledNetwork): ReadonlyMap<string, StepSize> {
  const sizes = new Map<string, StepSize>();
  addSizes(network, true, sizes);
  return sizes;
}

function addSizes({ steps, frames }: CompiledNetwork, framesAreFinal: boolean, sizes: Map<string, StepSize>): void {
  for (const { path, size, nested, step } of steps) {
    const { jobs, skipped, unmade } = size;
    const isCounted = framesAreFinal && size.expanded + size.blocked === frames;
    const mayBeSkipped = step.when !== undefined && unmade > 0;
    sizes.set(path, { jobs, skipped, isFinal: isCounted && !mayBeSkipped });
    if (nested !== undefined) addSizes(nested, isCounted && unmade === 0, sizes);
  }
}

/** Paths of the steps that were blocked in at least one execution, in the order of the document. */
export function blockedSteps({ steps }: CompiledNetwork): readonly string[] {
  return steps.flatMap(({ path, size, nested }) => [
    ...(size.blocked > 0 ? [path] : []),
    ...(nested === undefined ? [] : blockedSteps(nested)),
  ]);
}
