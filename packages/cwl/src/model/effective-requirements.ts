import type { Requirement, RequirementClass } from "./requirement.ts";

/** A scope that has requirements: a process, or a step of a workflow. */
export interface RequirementScope {
  readonly requirements: readonly Requirement[];
  readonly hints: readonly Requirement[];
  /** Defaults of the document's version; they replace those of the enclosing process. */
  readonly defaults?: readonly Requirement[];
}

type OfClass<C extends RequirementClass> = Extract<Requirement, { readonly class: C }>;

/** The requirements and hints in effect at one point in a document, by class. Immutable. */
export interface RequirementSet {
  /** The requirement in effect for a class, even if it comes from a hint or a default. */
  get<C extends RequirementClass>(name: C): OfClass<C> | undefined;
  /** True if a requirement is in effect for a class; false if only a hint or default is, or nothing. */
  isRequired(name: RequirementClass): boolean;
  /** The requirements in an inner scope. `overrides` (of an input object) take precedence over the scope's own requirements. */
  enter(scope: RequirementScope, overrides?: readonly Requirement[]): RequirementSet;
}

/**
 * Requirements are inherited from workflow to step to process. The nearest requirement of a class takes precedence, and
 * any requirement takes precedence over any hint. CWL v1.2 Workflow.html#Requirements_and_hints. A version's defaults are not inherited:
 * a process of another version has its own. CWL v1.2 CommandLineTool.html#Syntax.
 *
 * `scopes` are ordered from the outermost to the innermost.
 */
export function effectiveRequirements(
  scopes: readonly RequirementScope[],
  overrides: readonly Requirement[] = [],
): RequirementSet {
  const outer = scopes.reduce<RequirementSet>(
    (set, scope) => set.enter(scope),
    setOf({ required: new Map(), hinted: new Map(), defaults: new Map() }),
  );
  return overrides.length === 0 ? outer : outer.enter({ requirements: overrides, hints: [] });
}

type ByClass = ReadonlyMap<RequirementClass, Requirement>;

interface Layers {
  readonly required: ByClass;
  readonly hinted: ByClass;
  readonly defaults: ByClass;
}

function setOf({ required, hinted, defaults }: Layers): RequirementSet {
  return {
    get<C extends RequirementClass>(name: C): OfClass<C> | undefined {
      // The map holds each requirement under its own class.
      return (required.get(name) ?? hinted.get(name) ?? defaults.get(name)) as OfClass<C> | undefined;
    },
    isRequired: (name) => required.has(name),
    enter: (scope, overrides = []) =>
      setOf({
        required: withAll(required, [...scope.requirements, ...overrides]),
        hinted: withAll(hinted, scope.hints),
        defaults: scope.defaults === undefined ? defaults : withAll(new Map(), scope.defaults),
      }),
  };
}

function withAll(outer: ByClass, nearer: readonly Requirement[]): ByClass {
  if (nearer.length === 0) return outer;
  const merged = new Map(outer);
  for (const requirement of nearer) if (requirement.class !== "unknown") merged.set(requirement.class, requirement);
  return merged;
}
