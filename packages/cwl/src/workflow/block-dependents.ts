import { sourceStep, type Workflow, type WorkflowStep } from "../model/process.ts";
import { stepAt, type Frame } from "./frame.ts";
import { isCrossed } from "./step/scatter-jobs.ts";

/**
 * Marks every step that needs this one, directly or not, as blocked, and returns the number of newly blocked steps. If only
 * some jobs failed, a step of which each job needs one element still runs its other jobs.
 */
export function blockDependents(frame: Frame, number: number, { isWhole }: { readonly isWhole: boolean }): number {
  const { compiled: failed } = stepAt(frame, number);
  let blocked = 0;
  const pending = failed.dependents.filter(
    (later) => isWhole || !takesElements(stepAt(frame, later).compiled.step, failed.step),
  );
  for (const later of pending) {
    const { compiled, state } = stepAt(frame, later);
    if (state.status !== "waiting") continue;
    state.status = "blocked";
    compiled.size.blocked++;
    blocked++;
    pending.push(...compiled.dependents);
  }
  return blocked;
}

/** True if each job of `later` needs only the job of `earlier` with the same number. */
function takesElements(later: WorkflowStep, earlier: WorkflowStep): boolean {
  if (!givesList(earlier) || later.scatter.length === 0 || isCrossed(later)) return false;
  return later.in
    .filter(({ source }) => source.some((name) => sourceStep(name) === earlier.id))
    .every((input) => later.scatter.includes(input.id) && isPlain(input));
}

/** The numbers of jobs that cannot run because the job that produces their element failed. */
export function lostElements(frame: Frame, scattered: WorkflowStep): ReadonlySet<number> {
  const ids = listSteps(scattered);
  const lost = new Set<number>();
  for (const [number, { step }] of frame.network.steps.entries())
    if (ids.has(step.id) && givesList(step)) for (const job of stepAt(frame, number).state.lost) lost.add(job);
  return lost;
}

/** The steps over whose unchanged lists a step is scattered, directly or through other such steps. */
export function stepsOfElements({ steps }: Workflow, stepId: string): ReadonlySet<string> {
  const found = new Set([stepId]);
  for (const id of found) {
    const step = steps.find((candidate) => candidate.id === id);
    if (step !== undefined && !isCrossed(step)) for (const earlier of listSteps(step)) found.add(earlier);
  }
  found.delete(stepId);
  return found;
}

function listSteps({ scatter, in: inputs }: WorkflowStep): ReadonlySet<string> {
  const lists = inputs.filter((input) => scatter.includes(input.id) && isPlain(input));
  return new Set(lists.flatMap(({ source }) => source.flatMap((name) => sourceStep(name) ?? [])));
}

function givesList({ scatter, scatterMethod }: WorkflowStep): boolean {
  return scatter.length > 0 && scatterMethod !== "nested_crossproduct";
}

/** True for the unchanged list of one step. */
function isPlain({ source, sourceIsList, pickValue, linkMerge }: WorkflowStep["in"][number]): boolean {
  return source.length === 1 && !sourceIsList && pickValue === undefined && linkMerge === undefined;
}
