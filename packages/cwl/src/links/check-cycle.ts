import type { Workflow, WorkflowStep } from "../model/process.ts";
import type { LinkFindings } from "./link-findings.ts";

/** Reports steps that wait for each other, named in the order in which values would go round. */
export function checkCycle(workflow: Workflow, findings: LinkFindings): void {
  const cycle = findCycle(workflow.steps);
  const [first] = cycle;
  if (first === undefined) return;
  const names = [...cycle, first].map(({ id }) => id).join(" -> ");
  findings.add(
    { part: first, place: `steps.${first.id}` },
    { code: "step-cycle", message: `the steps wait for each other: ${names}` },
  );
}

/** Going back from a step that is never free to start, to one it waits for, and on, must run into a circle. */
function findCycle(steps: readonly WorkflowStep[]): readonly WorkflowStep[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const blocked = blockedSteps(steps);
  const path: string[] = [];
  const visited = new Set<string>();
  let id = blocked.values().next().value;
  while (id !== undefined && !visited.has(id)) {
    visited.add(id);
    path.push(id);
    const step: WorkflowStep | undefined = byId.get(id);
    id = step === undefined ? undefined : predecessorIds(step).find((other) => blocked.has(other));
  }
  const circle = id === undefined ? [] : path.slice(path.indexOf(id)).toReversed();
  const first = circle.indexOf(steps.find((step) => circle.includes(step.id))?.id ?? "");
  return [...circle.slice(first), ...circle.slice(0, first)].flatMap((name) => byId.get(name) ?? []);
}

/** The steps left over when each step is taken away as soon as all it waits for are. */
function blockedSteps(steps: readonly WorkflowStep[]): ReadonlySet<string> {
  const blocked = new Set(steps.map(({ id }) => id));
  const waiting = new Map(
    steps.map((step) => [step.id, new Set(predecessorIds(step).filter((id) => blocked.has(id)))]),
  );
  const followers = Map.groupBy(
    [...waiting].flatMap(([id, predecessors]) => [...predecessors].map((predecessor) => ({ id, predecessor }))),
    ({ predecessor }) => predecessor,
  );
  const free = [...blocked].filter((id) => waiting.get(id)?.size === 0);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    blocked.delete(id);
    for (const follower of followers.get(id) ?? []) {
      const rest = waiting.get(follower.id);
      rest?.delete(id);
      if (rest?.size === 0) free.push(follower.id);
    }
  }
  return blocked;
}

function predecessorIds(step: WorkflowStep): readonly string[] {
  const sources = step.in.flatMap((input) => input.source).filter((source) => source.includes("/"));
  return sources.map((source) => source.slice(0, source.lastIndexOf("/")));
}
