import type { Job } from "@weft/shared/records/job-record.ts";
import { attempt } from "@weft/cwl/attempt.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { ArchiveEntry } from "../archive/zip-archive.ts";
import { filesOf } from "../values/map-files.ts";
import type { JobRow } from "../journal/rows.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import { bundledLogs, shortenedText } from "./bundled-logs.ts";
import { bundleInputs } from "./bundled-inputs.ts";
import type { BundledInputs, WantedInput } from "./bundled-inputs.ts";
import { environmentText } from "./environment-text.ts";
import type { Surroundings } from "./environment-text.ts";
import { findInput } from "./find-input.ts";
import { inputObject } from "./input-object.ts";
import { repeatJob } from "./repeat-job.ts";
import type { RepeatableJob } from "./repeat-job.ts";
import { repeatScript, wantedInputs } from "./repeat-script.ts";
import type { JobWithTool } from "./recorded-job.ts";
import { runScript } from "./run-script.ts";
import { shellWord } from "./shell-text.ts";
import { wholeReadme } from "./whole-readme.ts";

/**
 * All that is needed to repeat a job elsewhere: its input files, a script, its tool and inputs as CWL, what it wrote, and
 * its record. Everything is looked for before the first entry is answered.
 */
export async function wholeBundle(
  recorded: JobWithTool,
  record: Job,
  { services, surroundings }: { readonly services: RunServices; readonly surroundings: Surroundings },
): Promise<ArchiveEntry[]> {
  const { row, tool } = recorded;
  const repeatable = await repeatJob(recorded, services);
  const inputs = await gatherInputs(recorded, repeatable, services);
  const script = await scriptText(row, repeatable, { inputs, services });
  const logs = await bundledLogs(row, services);
  const readme = wholeReadme({
    row,
    inputs,
    unrepeatable: script.unrepeatable,
    isChanged: typeof repeatable !== "string" && hasChanged(repeatable),
    shortened: logs.flatMap((log) => shortenedText(log) ?? []),
  });
  return [
    text("README.txt", readme),
    ...(script.text === undefined ? [] : [{ ...text("run.sh", script.text), isExecutable: true }]),
    text("job.json", json(record)),
    text("tool.cwl", json(tool)),
    text("inputs.json", json(inputObject(recorded.inputs ?? {}, inputs.places))),
    ...(row.command === null ? [] : [text("command.txt", `${row.command.argv.map(shellWord).join(" ")}\n`)]),
    text("environment.txt", environmentText(row, surroundings)),
    ...logs.map(({ entry }) => entry),
    ...inputs.entries,
  ];
}

function text(name: string, content: string) {
  return { kind: "text", name, text: content } as const;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function gatherInputs(
  { row, inputs = {} }: JobWithTool,
  repeatable: RepeatableJob | string,
  services: RunServices,
): Promise<BundledInputs> {
  const pinned = services.journal.read.pinnedFiles(row.runId);
  const { reach } = services.access.ofRun(row.runId, inputs);
  const wanted = typeof repeatable === "string" ? ownFiles(inputs) : wantedInputs(repeatable);
  return bundleInputs(wanted, (source) => findInput(source, pinned, services), reach);
}

/** Of a job without a command line: the files of its inputs, those that lie in a folder of them left to that. */
function ownFiles(inputs: CwlObject): WantedInput[] {
  const all = filesOf(inputs).flatMap(({ file }) =>
    file.location === undefined ? [] : [{ source: file.location, name: file.basename ?? "input" }],
  );
  return all.filter(({ source }) => !all.some((other) => source.startsWith(other.source.replace(/\/?$/, "/"))));
}

async function scriptText(
  row: JobRow,
  repeatable: RepeatableJob | string,
  { inputs, services }: { readonly inputs: BundledInputs; readonly services: RunServices },
): Promise<{ readonly text?: string; readonly unrepeatable?: string }> {
  if (typeof repeatable === "string") return { unrepeatable: repeatable };
  const title = `Repeats the job ${row.jobId} of the run ${row.runId}, attempt ${row.attempt}.`;
  const script = await attempt(() => repeatScript(repeatable, inputs, { services, title }));
  if ("failure" in script) return { unrepeatable: script.failure.message };
  return { text: runScript({ ...script.value, exitCode: row.exitCode }) };
}

/** The document may refer to files beside it that are others by now. Command lines in containers are the engine's. */
function hasChanged({ plan, command, choice }: RepeatableJob): boolean {
  if (choice !== undefined) return false;
  const ends = (words: readonly string[]) => words.map((word) => word.replace(/^.*\/jobs\/[^/]+@\d+\//s, ""));
  return JSON.stringify(ends(plan.argv)) !== JSON.stringify(ends(command.argv));
}
