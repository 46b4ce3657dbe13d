import type { Job } from "@weft/shared/records/job-record.ts";
import { attempt } from "@weft/cwl/attempt.ts";
import type { CwlObject, CwlValue, FileOrDirectory } from "@weft/cwl/model/cwl-value.ts";
import { jsonEntry, textEntry, type ArchiveEntry } from "../archive/zip-archive.ts";
import { filesOf, isFileOrDirectory } from "../values/map-files.ts";
import type { JobRow } from "../journal/rows.ts";
import { containerText } from "../present/present-job.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import { bundledLogs, shortenedText } from "./bundled-logs.ts";
import { bundleInputs, type BundledInputs, type WantedInput, type FoundInput } from "./bundled-inputs.ts";
import { environmentText, type Platform } from "./environment-text.ts";
import { repeatJob, type RepeatableJob } from "./repeat-job.ts";
import { repeatScript, wantedInputs } from "./repeat-script.ts";
import type { RecordedJob } from "./recorded-job.ts";
import { runScript } from "./run-script.ts";
import { shellWord } from "./shell-text.ts";
import { wholeReadme } from "./whole-readme.ts";
import { fileURLToPath } from "node:url";
import type { PinnedFile } from "@weft/shared/events/run-events.ts";
import { bytesOfDataUrl } from "../files/remote/data-url.ts";
import { isHttp, isRemote, redactUrl } from "../files/remote/remote-url.ts";

/**
 * Everything needed to repeat a job elsewhere: input files, a script, the tool and its inputs as CWL, its streams, and
 * its record. Looks everything up before it returns the first entry.
 */
export async function wholeBundle(
  recorded: RecordedJob,
  record: Job,
  { services, platform }: { readonly services: RunServices; readonly platform: Platform },
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
    textEntry("README.txt", readme),
    ...(script.text === undefined ? [] : [{ ...textEntry("run.sh", script.text), isExecutable: true }]),
    jsonEntry("job.json", record),
    jsonEntry("tool.cwl", tool),
    jsonEntry("inputs.json", inputObject(recorded.inputs ?? {}, inputs.places)),
    ...(row.command === null ? [] : [textEntry("command.txt", `${row.command.argv.map(shellWord).join(" ")}\n`)]),
    textEntry("environment.txt", wholeEnvironment(row, platform)),
    ...logs.map(({ entry }) => entry),
    ...inputs.entries,
  ];
}

function wholeEnvironment({ container, command }: JobRow, platform: Platform): string {
  const facts = container === null ? [] : [["container", containerText(container)] as const];
  const variables = Object.entries(command?.env ?? {});
  const isOnCommandLine = command !== null && variables.length === 0;
  const remark = isOnCommandLine ? "# They are on the command line of the container." : undefined;
  return environmentText(platform, variables, { facts, remark });
}

function gatherInputs(
  { row, inputs = {} }: RecordedJob,
  repeatable: RepeatableJob | string,
  services: RunServices,
): Promise<BundledInputs> {
  const pinned = services.journal.read.pinnedFiles(row.runId);
  const { reach } = services.access.ofRun(row.runId, inputs);
  const staged = typeof repeatable === "string" ? ownFiles(inputs) : wantedInputs(repeatable);
  return bundleInputs(staged, (source) => findInput(source, pinned, services), reach);
}

/** The input files of a job that has no command line, except those within one of its input folders. */
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

/**
 * The document may refer to neighboring files that have changed since. In containers, the command line is the
 * engine's.
 */
function hasChanged({ plan, command, choice }: RepeatableJob): boolean {
  if (choice !== undefined) return false;
  const ends = (words: readonly string[]) => words.map((word) => word.replace(/^.*\/jobs\/[^/]+@\d+\//s, ""));
  return JSON.stringify(ends(plan.argv)) !== JSON.stringify(ends(command.argv));
}

/** Finds an input of a run on this machine. For URLs, uses only existing downloads. */
async function findInput(
  source: string,
  pinned: readonly PinnedFile[],
  { downloads }: RunServices,
): Promise<FoundInput | undefined> {
  if (!isRemote(source)) return { path: fileURLToPath(source) };
  if (!isHttp(source)) {
    const bytes = bytesOfDataUrl(source);
    return bytes === undefined ? undefined : { bytes };
  }
  const pin = pinned.find(({ url }) => url === redactUrl(source));
  if (pin === undefined) return undefined;
  const kept = await downloads.find({ sha1: pin.checksum, sha256: pin.sha256, sizeBytes: pin.size });
  return kept === undefined ? undefined : { path: kept.path };
}

/**
 * The inputs of a job as an input object next to its files: with relative locations, and without properties derived
 * from the files. Keeps a location that has no path in the bundle.
 */
function inputObject(inputs: CwlObject, places: ReadonlyMap<string, string>): CwlObject {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, relative(value, places)]));
}

function relative(value: CwlValue, places: ReadonlyMap<string, string>): CwlValue {
  if (typeof value !== "object" || value === null) return value;
  if (isFileOrDirectory(value)) return relativeFile(value, places);
  if (Array.isArray(value)) return value.map((item: CwlValue) => relative(item, places));
  return inputObject(value as CwlObject, places); // the rest of the union is a record
}

function relativeFile(value: FileOrDirectory, places: ReadonlyMap<string, string>): FileOrDirectory {
  const { location, basename } = value;
  const place = location === undefined ? undefined : places.get(location);
  const address = place?.split("/").map(encodeURIComponent).join("/") ?? location;
  const common = {
    ...(basename === undefined ? {} : { basename }),
    ...(address === undefined ? {} : { location: address }),
  };
  const all = (values: readonly FileOrDirectory[]) => values.map((inner) => relativeFile(inner, places));
  if (value.class === "Directory")
    return { class: "Directory", ...common, ...(address === undefined ? { listing: all(value.listing ?? []) } : {}) };
  const { format, contents, secondaryFiles } = value;
  return {
    class: "File",
    ...common,
    ...(format === undefined ? {} : { format }),
    ...(address === undefined ? { contents: contents ?? "" } : {}),
    ...(secondaryFiles === undefined ? {} : { secondaryFiles: all(secondaryFiles) }),
  };
}
