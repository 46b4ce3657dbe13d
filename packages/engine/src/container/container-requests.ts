import { effectiveRequirements, type RequirementSet } from "@weft/cwl/model/effective-requirements.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";
import { imageName } from "./image-source.ts";

/** A command-line tool that requests a container. */
export interface ContainerRequest {
  readonly tool: string;
  readonly image: string;
  /** True for a requirement, false for a hint. */
  readonly isRequired: boolean;
}

/** Every tool of a process that requests a container under its effective requirements, each request once. */
export function containerRequests(
  process: Process,
  overrides: readonly Requirement[] = [],
): readonly ContainerRequest[] {
  const wishes = requestsOf(process, effectiveRequirements([], overrides), new Map());
  return [...new Map(wishes.map((wish) => [JSON.stringify(wish), wish])).values()];
}

/** `seen`: the requests around each process that was visited; a network that others run a thousand times is visited once. */
function requestsOf(process: Process, outer: RequirementSet, seen: Map<Process, Set<string>>): ContainerRequest[] {
  const around = outer.get("DockerRequirement");
  const keys = seen.get(process) ?? new Set();
  seen.set(process, keys);
  const key = `${outer.isRequired("DockerRequirement")} ${around === undefined ? "" : JSON.stringify(around)}`;
  if (keys.size === keys.add(key).size) return [];
  const set = outer.enter(process);
  if (process.class === "Workflow") return process.steps.flatMap((step) => requestsOf(step.run, set.enter(step), seen));
  const requirement = set.get("DockerRequirement");
  if (requirement === undefined || process.class !== "CommandLineTool") return [];
  const isRequired = set.isRequired("DockerRequirement");
  return [{ tool: process.name, image: imageName(requirement), isRequired }];
}
