import { hostname, userInfo } from "node:os";
import type { Job } from "@weft/shared/records/job-record.ts";
import { jsonEntry, textEntry, type ArchiveEntry } from "../archive/zip-archive.ts";
import { restoreValues } from "../values/record-values.ts";
import type { JobRow, RunRow } from "../journal/rows.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import { bundledLogs } from "./bundled-logs.ts";
import { environmentText, type Platform } from "./environment-text.ts";
import type { RecordedJob } from "./recorded-job.ts";
import { repeatJob } from "./repeat-job.ts";
import { Placeholders, type Secret } from "./safe/placeholders.ts";
import { safeRecord } from "./safe/safe-record.ts";
import { isCommonName, isLiteral, safeTool } from "./safe/safe-tool.ts";
import type { InputBinding } from "@weft/cwl/model/binding.ts";
import type { CommandLineTool } from "@weft/cwl/model/process.ts";

/**
 * The facts that an outsider needs to diagnose a failed job, without any data. Where possible, they are built from
 * facts known to be harmless rather than by redacting private ones.
 */
export async function safeBundle(
  recorded: RecordedJob,
  record: Job,
  { services, platform }: { readonly services: RunServices; readonly platform: Platform },
): Promise<ArchiveEntry[]> {
  const { row, inputs = {} } = recorded;
  const { read } = services.journal;
  const outputs = row.outputs === null ? null : restoreValues(read.blob(row.outputs), services.uris);
  const placeholders = new Placeholders({ ...inputs, ...outputs });
  const tool = safeTool(recorded.tool, PLACE);
  const secrets = [...placeholders.secrets, ...secretsOfRow(recorded.run, row)];
  const logs = await bundledLogs(row, services);
  const job = safeRecord(
    record,
    { secrets, known: JSON.stringify(tool) },
    {
      inputs: placeholders.withoutValues(inputs),
      outputs: outputs === null ? null : placeholders.withoutValues(outputs),
      container: row.container,
      logs: Object.fromEntries(logs.map(({ stream, sizeBytes }) => [stream, sizeBytes])),
    },
  );
  const command = await commandText(recorded, placeholders, services);
  const variables = Object.keys(row.command?.env ?? {});
  return [
    textEntry("README.txt", SAFE_README),
    jsonEntry("job.json", job),
    jsonEntry("tool.cwl", tool),
    ...(command === undefined ? [] : [textEntry("command.txt", `${command}\n`)]),
    textEntry(
      "environment.txt",
      environmentText(
        platform,
        variables.map((name) => [name, `<env:${name}>`]),
      ),
    ),
  ];
}

/** Names that identify this server and its account. */
const PLACE = { hostName: hostname(), userName: userInfo().username };

/** The tool's own command line. A container engine's command line would disclose the locations of files. */
async function commandText(
  recorded: RecordedJob,
  placeholders: Placeholders,
  services: RunServices,
): Promise<string | undefined> {
  const repeatable = await repeatJob(recorded, services);
  const { process } = recorded.at;
  if (typeof repeatable === "string" || process.class !== "CommandLineTool") return undefined;
  const { argv } = repeatable.choice === undefined ? repeatable.command : repeatable.plan;
  return String(safeTool(safeCommand(argv, process, placeholders), PLACE));
}

/** Variables that every job has. Their values are paths or equal on all machines. */
const USUAL = new Set(["PATH", "HOME", "TMPDIR", "LANG"]);

function secretsOfRow(run: RunRow, row: JobRow): Secret[] {
  const variables = Object.entries(row.command?.env ?? {}).filter(([name]) => !USUAL.has(name));
  const named: (readonly [string | null, string])[] = [
    ...variables.map(([name, value]) => [value, `<env:${name}>`] as const),
    ...Object.values(run.tags).map((tag) => [tag, "<tag>"] as const),
    [row.sampleId, "<sample>"],
    [run.name, "<run name>"],
    [run.owner, "<user>"],
    [PLACE.userName, "<user>"],
    [PLACE.hostName, "<host>"],
  ];
  return named.flatMap(([secret, placeholder]) =>
    secret === null || secret.trim() === "" || isCommonName(secret) ? [] : [{ text: secret, placeholder }],
  );
}

/** The readme for the sender and the receiver of a bundle without data. */
const SAFE_README = `Debug bundle of one job, for people who must not see the data.

In this bundle
  job.json         state, reason, exit code, attempts, durations, resources; of inputs and outputs only their shape:
                   kinds, numbers of elements, sizes of files
  tool.cwl         the tool's document (without default values that are texts or files, literal values of environment
                   variables, addresses and paths of the site, and names of private registries)
  command.txt      the command line: words from the tool's document, <input:NAME> for a value of that input,
                   file-1.nii.gz for a file, <value> for everything else
  environment.txt  versions, kind of machine, names of the job's variables

Left out
  all input and output files, what the job wrote to standard output and standard error, values of inputs, names of
  files, samples, runs, people and machines, paths, times of day, checksums. In the reason of a failure, what is known
  to be private, paths, and quotations that are not in the tool's document are replaced.

No person has reviewed this bundle. Text by the tool's author (descriptions, scripts, names of
parameters) is in tool.cwl: if that may be private, read it before you share the bundle.
`;

/**
 * A command line that discloses nothing beyond the tool's document: literal words of the document, placeholders for
 * known inputs, and `<value>` for everything else, such as the result of an expression.
 */
function safeCommand(argv: readonly string[], tool: CommandLineTool, placeholders: Placeholders): string {
  const constants = constantsOf(tool);
  return argv.map((word) => safeWord(word, constants, placeholders)).join(" ");
}

interface Constants {
  /** Complete arguments. */
  readonly words: ReadonlySet<string>;
  /** Prefixes that may be joined with a value to form one argument. */
  readonly prefixes: readonly string[];
  /** True if an argument may be a complete shell line. */
  readonly hasLines: boolean;
}

function constantsOf(tool: CommandLineTool): Constants {
  const bindings = [
    ...tool.arguments.map((argument): Partial<InputBinding> =>
      typeof argument === "string" ? { valueFrom: argument } : argument,
    ),
    ...tool.inputs.flatMap(({ inputBinding }) => inputBinding ?? []),
  ];
  const prefixes = bindings.flatMap(({ prefix }) => prefix ?? []);
  const values = bindings.flatMap(({ valueFrom }) => (isLiteral(valueFrom) ? [valueFrom] : []));
  const hasLines = [...tool.requirements, ...tool.hints].some(
    (requirement) => requirement.class === "ShellCommandRequirement",
  );
  return { words: new Set([...tool.baseCommand, ...values, ...prefixes]), prefixes, hasLines };
}

function safeWord(word: string, constants: Constants, placeholders: Placeholders): string {
  if (constants.words.has(word)) return /\s/.test(word) ? `'${word}'` : word;
  const known = placeholders.standIn(word);
  if (known !== undefined) return known;
  if (constants.hasLines && /\s/.test(word)) return `'${safeLine(word, constants, placeholders)}'`;
  const prefix = constants.prefixes.find((candidate) => candidate !== "" && word.startsWith(candidate));
  return prefix === undefined ? "<value>" : `${prefix}${placeholders.standIn(word.slice(prefix.length)) ?? "<value>"}`;
}

/** Keeps shell operators, so that the structure of the line remains visible. */
function safeLine(line: string, { words, prefixes }: Constants, placeholders: Placeholders): string {
  const parts = new Set([...words].flatMap((word) => word.split(/\s+/)));
  return line
    .split(/\s+/)
    .map((part) =>
      /^[|&;<>()]+$/.test(part) || parts.has(part)
        ? part
        : safeWord(part, { words: parts, prefixes, hasLines: false }, placeholders),
    )
    .join(" ");
}
