import type { Process, WorkflowStep } from "./process.ts";
import type { SecretsRequirement } from "./requirement.ts";

/** The inputs that a process itself declares secret, as a requirement or a hint; undefined if it declares nothing. */
export function secretsOf({
  requirements,
  hints,
}: Pick<Process, "requirements" | "hints">): SecretsRequirement | undefined {
  return [...requirements, ...hints].find((requirement) => requirement.class === "Secrets");
}

/**
 * Short names of the inputs whose texts are secret: those that the process declares, and those that a workflow passes on
 * to a secret input of one of its steps, however deep. The processes that a workflow runs do not inherit `cwltool:Secrets`.
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
