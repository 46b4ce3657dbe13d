import type { Process } from "@weft/cwl/model/process.ts";

/** One sentence for every tool in a process that asks for a container: there is no container engine yet, and nobody shall be surprised. */
export function containerWarnings(process: Process): readonly string[] {
  return [...new Set(askingFor(process))];
}

function askingFor(process: Process): string[] {
  const own = [...process.requirements, ...process.hints].flatMap((requirement) => {
    if (requirement.class !== "DockerRequirement") return [];
    const image = requirement.dockerImageId ?? requirement.dockerPull ?? "of its own";
    return [
      `${process.name} asks for the container image ${image}; Weft runs it without a container, with the programs of this machine`,
    ];
  });
  const inner = process.class === "Workflow" ? process.steps.flatMap((step) => askingFor(step.run)) : [];
  return [...own, ...inner];
}
