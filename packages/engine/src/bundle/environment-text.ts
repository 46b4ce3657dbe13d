import type { JobRow } from "../journal/rows.ts";
import { containerText } from "../present/present-job.ts";

/** What a job ran on besides its tool. */
export interface Surroundings {
  readonly weftVersion: string;
  readonly cores: number;
  readonly ramMib: number;
}

/** `NAME=value` lines: first the machine, then the variables of the job. */
export function environmentText(row: JobRow, surroundings: Surroundings): string {
  const container = row.container === null ? [] : [["container", containerText(row.container)] as const];
  const variables = Object.entries(row.command?.env ?? {});
  return [
    "# What the job ran on",
    ...lines([...platformFacts(surroundings), ...container]),
    "",
    "# The variables of the job",
    ...(row.command !== null && variables.length === 0 ? ["# They stand in the command line of the container."] : []),
    ...lines(variables),
    "",
  ].join("\n");
}

/** Nothing here tells one machine of its kind from another. */
export function platformFacts({ weftVersion, cores, ramMib }: Surroundings): readonly (readonly [string, string])[] {
  return [
    ["weft", weftVersion],
    ["node", process.version],
    ["platform", `${process.platform} ${process.arch}`],
    ["cores_for_jobs", String(cores)],
    ["memory_mib_for_jobs", String(ramMib)],
  ];
}

export function lines(entries: Iterable<readonly [string, string]>): string[] {
  return [...entries].map(([name, value]) => `${name}=${value.replaceAll("\n", "\\n")}`);
}
