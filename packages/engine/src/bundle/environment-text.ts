/** The machine on which a job ran. */
export interface Platform {
  readonly weftVersion: string;
  readonly cores: number;
  readonly ramMib: number;
}

type Facts = readonly (readonly [name: string, value: string])[];

/** `NAME=value` lines: the machine first, then the job's variables. No fact of the platform identifies a machine. */
export function environmentText(
  { weftVersion, cores, ramMib }: Platform,
  variables: Facts,
  { facts = [], remark }: { readonly facts?: Facts; readonly remark?: string | undefined } = {},
): string {
  return [
    "# The environment of the job",
    ...lines([
      ["weft", weftVersion],
      ["node", process.version],
      ["platform", `${process.platform} ${process.arch}`],
      ["cores_for_jobs", String(cores)],
      ["memory_mib_for_jobs", String(ramMib)],
      ...facts,
    ]),
    "",
    "# The variables of the job",
    ...(remark === undefined ? [] : [remark]),
    ...lines(variables),
    "",
  ].join("\n");
}

function lines(facts: Facts): string[] {
  return facts.map(([name, value]) => `${name}=${value.replaceAll("\n", "\\n")}`);
}
