import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { StagingEntry } from "@weft/cwl/model/job-plan.ts";
import { containJob, type Containment } from "../jobs/job-container.ts";
import { launchOf, pathsOf } from "../jobs/launch-command.ts";
import type { BundledInputs, WantedInput } from "./bundled-inputs.ts";
import { containerCommand } from "./container-command.ts";
import type { RepeatableJob } from "./repeat-job.ts";
import type { RunScript, StagingAct } from "./run-script.ts";
import { BUNDLE, JOB, shellWord } from "./shell-text.ts";
import type { RunServices } from "../runs/drive/run-services.ts";

/** The inputs that are staged from other folders or URLs, by location. */
export function wantedInputs({ plan }: RepeatableJob): WantedInput[] {
  return plan.staging.flatMap((entry) =>
    "source" in entry ? [{ source: entry.source, name: nameOf(entry.target) }] : [],
  );
}

/** The script that repeats a job in a new folder on another machine. Throws CwlFailure if its engine cannot do that. */
export function repeatScript(
  repeatable: RepeatableJob,
  inputs: BundledInputs,
  { services, title }: { readonly services: RunServices; readonly title: string },
): Omit<RunScript, "exitCode"> {
  const marks = marksFor(repeatable, inputs);
  const { renamings } = inputs;
  if (repeatable.choice === undefined) return { title, renamings, ...plainScript(repeatable, marks) };
  // Files that the job changed in place are copied, so that a repetition keeps its original inputs.
  const plan = { ...repeatable.plan, inplaceUpdate: false };
  const staging = plan.staging.map((entry) => moved(entry, marks));
  const { job, choice } = repeatable;
  const containment = containJob(job, { ...plan, staging }, { choice, outside: pathsOf(job), services });
  return { title, renamings, ...containedScript({ ...repeatable, plan }, containment, marks) };
}

type Script = Omit<RunScript, "title" | "renamings" | "exitCode">;

function plainScript({ job, plan, command }: RepeatableJob, marks: Marks): Script {
  const staging = plan.staging.map((entry) => actOf(moved(entry, marks), marks));
  const { PATH: _path, ...env } = command.env;
  const variables = Object.entries(env).map(([name, value]) => shellWord(`${name}=${marks.text(value)}`));
  const hasShell = job.requirements.get("ShellCommandRequirement") !== undefined;
  return {
    staging,
    checks: hasShell ? [PLAIN_PATH] : [],
    preparation: ["# The variables of the job; PATH is that of this machine."],
    command: [
      "env",
      "-i",
      '"PATH=$PATH"',
      ...variables,
      ...command.argv.map((word) => shellWord(marks.text(word))),
    ].join(" \\\n  "),
    ...streamsOf(command, marks),
  };
}

/** A shell command line quotes paths as its tool does, or not at all: paths must not need quotation marks. */
const PLAIN_PATH =
  'case $job in *[!A-Za-z0-9_@%+=:,./-]*) echo "run.sh: the tool is a shell command line, so the path of its folder must not contain spaces or special characters" >&2; exit 2 ;; esac';

function containedScript(repeatable: RepeatableJob, containment: Containment, marks: Marks): Script {
  const { job, plan } = repeatable;
  const launch = launchOf(job, plan, { containment, image: undefined });
  return {
    staging: containment.view.staging.map((entry) => actOf(entry, marks)),
    ...containerCommand(job, plan, { containment, text: (text) => marks.text(text) }),
    ...streamsOf({ ...launch, stdin: plan.stdin === undefined ? undefined : launch.stdin }, marks),
  };
}

interface Streams {
  readonly stdin?: string | undefined;
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
}

function streamsOf({ stdin, stdout, stderr }: Streams, marks: Marks) {
  return {
    stdin: stdin === undefined ? undefined : marks.text(stdin),
    stdout: marks.text(stdout ?? `${JOB}/stdout`),
    stderr: marks.text(stderr ?? `${JOB}/stderr`),
  };
}

/** Replaces paths of this machine with marks in the script. */
interface Marks {
  text(text: string): string;
  /** `file:` address of an input in a bundle whose folder is not known yet; undefined if the input is missing. */
  place(source: string): string | undefined;
}

/** Placeholder for the bundle's folder in paths used for planning; it must look like a path. */
const PLANNED_BUNDLE = "/weft-bundle-folder-5e1f7c1e";

function marksFor({ job, command }: RepeatableJob, { places }: BundledInputs): Marks {
  const folders = [dirname(command.workdir), job.folder];
  return {
    text: (text) =>
      folders.reduce((marked, folder) => marked.replaceAll(folder, JOB), text).replaceAll(PLANNED_BUNDLE, BUNDLE),
    place: (source) => {
      const place = places.get(source);
      return place === undefined ? undefined : pathToUri(`${PLANNED_BUNDLE}/${place}`);
    },
  };
}

/** Reads from the bundle. Looks for missing inputs below `inputs/missing`, where users can put them. */
function moved(entry: StagingEntry, marks: Marks): StagingEntry {
  if (!("source" in entry)) return entry;
  const missing = pathToUri(`${PLANNED_BUNDLE}/inputs/missing/${nameOf(entry.target)}`);
  return { ...entry, source: marks.place(entry.source) ?? missing };
}

function actOf(entry: StagingEntry, marks: Marks): StagingAct {
  const target = marks.text(entry.target);
  switch (entry.kind) {
    case "folder":
      return { kind: "folder", target };
    case "text":
      return { kind: "text", target, text: marks.text(entry.text) };
    case "link":
    case "copy":
      return { kind: entry.kind, target, from: marks.text(fileURLToPath(entry.source)) };
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
