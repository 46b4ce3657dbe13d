import type { Process, Workflow, WorkflowStep } from "./process.ts";
import type { Requirement } from "./requirement.ts";

/** Requirements for processes and steps, by their absolute URIs (`…/tool.cwl`, `…/network.cwl#step`). */
export type RequirementOverrides = ReadonlyMap<string, readonly Requirement[]>;

/** Returns the process with the overriding requirements, which replace requirements and hints of their classes. */
export function overrideRequirements(process: Process, overrides: RequirementOverrides): Process {
  return overrides.size === 0 ? process : new Overriding(overrides).process(process);
}

class Overriding {
  readonly #overrides: RequirementOverrides;
  /** Keeps a process that several steps share one object: documents are packed by identity. */
  readonly #overridden = new Map<Process, Process>();

  constructor(overrides: RequirementOverrides) {
    this.#overrides = overrides;
  }

  process(process: Process): Process {
    const known = this.#overridden.get(process);
    if (known !== undefined) return known;
    const own = this.#replace(process, process.id);
    const changed: Process = own.class === "Workflow" ? { ...own, steps: this.#steps(own) } : own;
    this.#overridden.set(process, changed);
    return changed;
  }

  #steps(workflow: Workflow): readonly WorkflowStep[] {
    const scope = workflow.id.includes("#") ? `${workflow.id}/` : `${workflow.id}#`;
    return workflow.steps.map((step) => ({ ...this.#replace(step, scope + step.id), run: this.process(step.run) }));
  }

  #replace<T extends Process | WorkflowStep>(place: T, uri: string): T {
    const overriding = this.#overrides.get(uri);
    if (overriding === undefined) return place;
    const replaced = new Set(overriding.map((requirement) => requirement.class));
    const others = (list: readonly Requirement[]) =>
      list.filter((requirement) => requirement.class === "unknown" || !replaced.has(requirement.class));
    return { ...place, requirements: [...others(place.requirements), ...overriding], hints: others(place.hints) };
  }
}
