import type { Process, WorkflowStep } from "./process.ts";
import type { SecretsRequirement } from "./requirement.ts";

/** The declaration of secret inputs in a process, as a requirement or a hint; undefined if there is none. */
export function secretsOf({
  requirements,
  hints,
}: Pick<Process, "requirements" | "hints">): SecretsRequirement | undefined {
  return [...requirements, ...hints].find((requirement) => requirement.class === "Secrets");
}

/**
 * Short names of the inputs whose strings are secret: inputs that the process declares secret, and inputs that a workflow
 * passes on to a secret input of a step, at any depth. The processes that a workflow runs do not inherit `cwltool:Secrets`.
 */
export function secretInputs(process: Process): ReadonlySet<string> {
  const declared = secretsOf(process)?.secrets ?? [];
  const passedOn = process.class === "Workflow" ? process.steps.flatMap(secretSources) : [];
  const inputs = new Set(process.inputs.map(({ id }) => id));
  return new Set([...declared, ...passedOn].filter((id) => inputs.has(id)));
}

function secretSources(step: WorkflowStep): readonly string[] {
  const secret = secretInputs(step.run);
  return secret.size === 0 ? [] : step.in.filter(({ id }) => secret.has(id)).flatMap(({ source }) => source);
}
