import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { StagingEntry } from "@weft/cwl/model/job-plan.ts";
import { containJob } from "../jobs/container/contain-job.ts";
import type { Containment, ContainmentServices } from "../jobs/container/contain-job.ts";
import { launchOf, pathsOf } from "../jobs/launch-command.ts";
import type { BundledInputs, WantedInput } from "./bundled-inputs.ts";
import { containerCommand } from "./container-command.ts";
import type { RepeatableJob } from "./repeat-job.ts";
import type { RunScript, StagingAct } from "./run-script.ts";
import { BUNDLE, JOB, shellWord } from "./shell-text.ts";

/** Everything that is staged from somewhere, by location. */
export function wantedInputs({ plan }: RepeatableJob): WantedInput[] {
  return plan.staging.flatMap((entry) =>
    "source" in entry ? [{ source: entry.source, name: nameOf(entry.target) }] : [],
  );
}

/** How to repeat a job in a fresh folder on another machine. Rejects with CwlFailure where its container engine cannot. */
export function repeatScript(
  repeatable: RepeatableJob,
  inputs: BundledInputs,
  { services, title }: { readonly services: ContainmentServices; readonly title: string },
): Omit<RunScript, "exitCode"> {
  const marks = marksFor(repeatable, inputs);
  const { renamings } = inputs;
  if (repeatable.choice === undefined) return { title, renamings, ...plainScript(repeatable, marks) };
  // Files that were changed in place are copied here: whoever repeats a job keeps what it began with.
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
    preparation: ["# The variables of the job; programs are found where this machine has them."],
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

/** In a line for a shell, paths stand between quotation marks of the tool's own, or none. */
const PLAIN_PATH =
  'case $job in *[!A-Za-z0-9_@%+=:,./-]*) echo "run.sh: the tool is a line for a shell: its folder needs a path without spaces and other signs" >&2; exit 2 ;; esac';

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

/** What of this machine's paths stands for what in the script. */
interface Marks {
  text(text: string): string;
  /** `file:` address of an input in a bundle whose folder is not known yet; undefined for one that is missing. */
  place(source: string): string | undefined;
}

/** Stands for the folder of the bundle in paths that are planned on: they must look like paths. */
const PLANNED_BUNDLE = "/weft-bundle-folder-5e1f7c1e";

function marksFor({ job, command }: RepeatableJob, { places }: BundledInputs): Marks {
  const folders = [dirname(command.workdir), job.folder];
  return {
    text: (text) =>
      folders.reduce((marked, folder) => marked.replaceAll(folder, JOB), text).replaceAll(PLANNED_BUNDLE, BUNDLE),
    place: (source) => {
      const place = places.get(source);
      return place === undefined ? undefined : pathToFileURL(`${PLANNED_BUNDLE}/${place}`).href;
    },
  };
}

/** Reads from the bundle; what is missing there is looked for below `inputs/missing`, where whoever has it can put it. */
function moved(entry: StagingEntry, marks: Marks): StagingEntry {
  if (!("source" in entry)) return entry;
  const missing = pathToFileURL(`${PLANNED_BUNDLE}/inputs/missing/${nameOf(entry.target)}`).href;
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
