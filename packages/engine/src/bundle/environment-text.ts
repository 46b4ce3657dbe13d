import type { JobRow } from "../journal/rows.ts";
import { containerText } from "../present/present-job.ts";

/** The environment of a job. */
export interface Platform {
  readonly weftVersion: string;
  readonly cores: number;
  readonly ramMib: number;
}

/** `NAME=value` lines: the machine first, then the job's variables. */
export function environmentText(row: JobRow, platform: Platform): string {
  const container = row.container === null ? [] : [["container", containerText(row.container)] as const];
  const variables = Object.entries(row.command?.env ?? {});
  return [
    "# The environment of the job",
    ...lines([...platformFacts(platform), ...container]),
    "",
    "# The variables of the job",
    ...(row.command !== null && variables.length === 0 ? ["# They are on the command line of the container."] : []),
    ...lines(variables),
    "",
  ].join("\n");
}

/** None of these facts identifies a particular machine. */
export function platformFacts({ weftVersion, cores, ramMib }: Platform): readonly (readonly [string, string])[] {
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
