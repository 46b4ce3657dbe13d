import type { Requirement, RequirementClass } from "./requirement.ts";

/** Where requirements stand: a process, or a step of a workflow. */
export interface RequirementScope {
  readonly requirements: readonly Requirement[];
  readonly hints: readonly Requirement[];
}

type OfClass<C extends RequirementClass> = Extract<Requirement, { readonly class: C }>;

/** The requirements and hints in effect at one place of a document, by class. Immutable. */
export interface RequirementSet {
  /** The one in effect, be it a requirement or a hint. */
  get<C extends RequirementClass>(name: C): OfClass<C> | undefined;
  /** True where the one in effect is a requirement, false for a hint or none. */
  isRequired(name: RequirementClass): boolean;
  /** What is in effect inside a nearer scope. `overrides` (of an input object) count like its own requirements, and win. */
  enter(scope: RequirementScope, overrides?: readonly Requirement[]): RequirementSet;
}

/**
 * Requirements are inherited from workflow to step to process; of the same class the nearest wins, and any requirement
 * wins over any hint. CWL v1.2 Workflow.html#Requirements_and_hints.
 *
 * `scopes` from the outermost to the nearest.
 */
export function effectiveRequirements(
  scopes: readonly RequirementScope[],
  overrides: readonly Requirement[] = [],
): RequirementSet {
  const outer = scopes.reduce<RequirementSet>((set, scope) => set.enter(scope), setOf(new Map(), new Map()));
  return overrides.length === 0 ? outer : outer.enter({ requirements: overrides, hints: [] });
}

type ByClass = ReadonlyMap<RequirementClass, Requirement>;

function setOf(required: ByClass, hinted: ByClass): RequirementSet {
  return {
    get<C extends RequirementClass>(name: C): OfClass<C> | undefined {
      // The map holds each requirement under its own class.
      return (required.get(name) ?? hinted.get(name)) as OfClass<C> | undefined;
    },
    isRequired: (name) => required.has(name),
    enter: (scope, overrides = []) =>
      setOf(withAll(required, [...scope.requirements, ...overrides]), withAll(hinted, scope.hints)),
  };
}

function withAll(outer: ByClass, nearer: readonly Requirement[]): ByClass {
  if (nearer.length === 0) return outer;
  const merged = new Map(outer);
  for (const requirement of nearer) if (requirement.class !== "unknown") merged.set(requirement.class, requirement);
  return merged;
}
