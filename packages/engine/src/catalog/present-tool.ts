import type { InputBinding } from "@weft/cwl/model/binding.ts";
import type { CommandLineTool } from "@weft/cwl/model/process.ts";
import type { Tool } from "@weft/shared/records/process-record.ts";
import type { CatalogEntry } from "./catalog-entry.ts";
import { containerOf, entryUrl, presentLong, requirementsOf, type PresentContext } from "./present-entry.ts";

export function presentTool(entry: CatalogEntry, context: PresentContext): Tool {
  const { process } = entry;
  const image = containerOf(entry);
  return {
    ...presentLong(entry, context),
    command: process?.class === "CommandLineTool" ? presentCommand(process) : null,
    container: image === undefined ? null : { image },
    software: requirementsOf(process, "SoftwareRequirement").flatMap(({ packages }) =>
      packages.map((software) => ({
        package: software.package,
        version: [...software.version],
        specs: [...software.specs],
      })),
    ),
    resources: Object.fromEntries(
      requirementsOf(process, "ResourceRequirement").flatMap(({ class: _class, ...amounts }) =>
        Object.entries(amounts),
      ),
    ),
    environment: Object.fromEntries(
      requirementsOf(process, "EnvVarRequirement").flatMap(({ envDef }) =>
        envDef.map(({ envName, envValue }) => [envName, envValue]),
      ),
    ),
    used_by: context.catalog.usesOf(entry.place.id).map(({ network, step, version }) => ({
      network: network.place.id,
      version: network.place.version,
      step,
      tool_version: version,
      url: entryUrl(network, context.links),
    })),
    links: { runs: `${context.links.base}/api/runs?tool=${entry.place.id}` },
  };
}

function presentCommand(tool: CommandLineTool): NonNullable<Tool["command"]> {
  const words = tool.arguments.map((argument) =>
    typeof argument === "string" ? argument : bindingText(argument, argument.valueFrom ?? ""),
  );
  return { base_command: [...tool.baseCommand], arguments: words, template_text: templateText(tool, words) };
}

/** The command line with a name in place of each value, ordered by position if positions are plain numbers. */
function templateText(tool: CommandLineTool, words: readonly string[]): string {
  const placed = [
    ...tool.arguments.map((argument, index) => ({
      position: positionOf(typeof argument === "string" ? undefined : argument),
      text: words[index] ?? "",
    })),
    ...tool.inputs.flatMap((input) =>
      input.inputBinding === undefined
        ? []
        : [{ position: positionOf(input.inputBinding), text: bindingText(input.inputBinding, `<${input.id}>`) }],
    ),
  ].sort((a, b) => a.position - b.position);
  const streams = [
    tool.stdin === undefined ? "" : `< ${tool.stdin}`,
    tool.stdout === undefined ? "" : `> ${tool.stdout}`,
    tool.stderr === undefined ? "" : `2> ${tool.stderr}`,
  ];
  return [...tool.baseCommand, ...placed.map(({ text }) => text), ...streams].filter((word) => word !== "").join(" ");
}

function positionOf(binding: InputBinding | undefined): number {
  return typeof binding?.position === "number" ? binding.position : 0;
}

function bindingText(binding: InputBinding, value: string): string {
  if (binding.prefix === undefined) return value;
  return binding.separate ? `${binding.prefix} ${value}`.trim() : `${binding.prefix}${value}`;
}
