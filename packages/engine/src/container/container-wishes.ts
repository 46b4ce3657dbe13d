import { effectiveRequirements } from "@weft/cwl/model/effective-requirements.ts";
import type { RequirementSet } from "@weft/cwl/model/effective-requirements.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";
import { imageName } from "./image-source.ts";

/** A command-line tool that requests a container. */
export interface ContainerWish {
  readonly tool: string;
  readonly image: string;
  /** True for a requirement, false for a hint. */
  readonly isRequired: boolean;
}

/** Every tool of a process that requests a container under its effective requirements, each request once. */
export function containerWishes(process: Process, overrides: readonly Requirement[] = []): readonly ContainerWish[] {
  const wishes = wishesOf(process, effectiveRequirements([], overrides));
  return [...new Map(wishes.map((wish) => [JSON.stringify(wish), wish])).values()];
}

function wishesOf(process: Process, outer: RequirementSet): ContainerWish[] {
  const set = outer.enter(process);
  if (process.class === "Workflow") return process.steps.flatMap((step) => wishesOf(step.run, set.enter(step)));
  const requirement = set.get("DockerRequirement");
  if (requirement === undefined || process.class !== "CommandLineTool") return [];
  const isRequired = set.isRequired("DockerRequirement");
  return [{ tool: process.name, image: imageName(requirement), isRequired }];
}
