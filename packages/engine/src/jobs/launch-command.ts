import { delimiter, dirname, join } from "node:path";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { JobPlan } from "@weft/cwl/model/job-plan.ts";
import { planJob } from "@weft/cwl/command/plan-job.ts";
import type { CommandLineTool } from "@weft/cwl/model/process.ts";
import { environmentNameProblem } from "@weft/cwl/model/requirement.ts";
import type { Command } from "@weft/shared/records/job-record.ts";
import { pathsInside, type Containment } from "./job-container.ts";
import type { Image } from "../container/container-engine.ts";
import type { ContainerChoice } from "../container/containers.ts";
import type { Launch, LaunchSize, LaunchTask } from "../executor/executor.ts";
import { giveWay } from "../async/give-way.ts";
import { markerOf } from "../executor/job-marker.ts";
import type { BoundJob } from "./job.ts";

export function pathsOf(job: Pick<BoundJob, "folder">) {
  return { outdir: join(job.folder, "out"), tmpdir: join(job.folder, "tmp"), stagedir: join(job.folder, "in") };
}

/** The resources that a job sees in `runtime`: at least the requested ones, and no more than it can rely on. */
function grantedTo({ resources }: BoundJob) {
  const { coresMin, ramMin, tmpdirMin, outdirMin } = resources;
  return { cores: coresMin, ram: ramMin, tmpdirSize: tmpdirMin, outdirSize: outdirMin };
}

export function planCommand(
  job: BoundJob,
  tool: CommandLineTool,
  choice: ContainerChoice | undefined,
): Promise<JobPlan> {
  const { requirements, inputs, evaluator } = job;
  const inContainer = choice?.engine !== undefined;
  const paths = inContainer ? pathsInside(requirements.get("DockerRequirement")) : pathsOf(job);
  return planJob({
    tool,
    requirements,
    inputs,
    evaluator,
    paths,
    resources: grantedTo(job),
    inContainer,
    giveWay: giveWay,
  });
}

interface Contained {
  readonly containment: Containment;
  /** Unknown for a reattached job and for one that is only planned. */
  readonly image: Image | undefined;
}

export function launchOf(job: BoundJob, plan: JobPlan, contained: Contained | undefined): Launch {
  const { outdir } = pathsOf(job);
  return {
    runId: job.runId,
    jobId: job.jobId,
    attempt: job.attempt,
    backend: job.backend,
    size: sizeOf(job, plan.timeLimitSeconds),
    folder: job.folder,
    workdir: outdir,
    ramLimitBytes: contained === undefined ? ramLimitOf(job) : undefined,
    ...(contained === undefined
      ? { argv: plan.argv, env: jobEnvironment(pathsOf(job), plan.environment), stdin: plan.stdin ?? "/dev/null" }
      : containerLaunch(job, plan, contained)),
    stdout: plan.stdout === undefined ? join(job.folder, "stdout") : join(outdir, plan.stdout),
    stderr: plan.stderr === undefined ? join(job.folder, "stderr") : join(outdir, plan.stderr),
  };
}

/** The maximum that the tool states; a container enforces its own limit. */
function ramLimitOf({ resources: { ramMax } }: BoundJob): number | undefined {
  return ramMax === undefined ? undefined : ramMax * 1024 * 1024;
}

/** Set only by explicit requests, not by the specification's default for tools that state no need. */
const SILENT_RAM_MIB = 256;

/**
 * The resources that a backend should reserve for a job. Includes memory only if the tool requests it or the run has
 * raised it: the specification's default would be a limit that many tools without a request exceed.
 */
export function sizeOf(
  { requirements, resources }: Pick<BoundJob, "requirements" | "resources">,
  seconds?: number,
): LaunchSize {
  const declared = requirements.get("ResourceRequirement");
  const saysRam = declared?.ramMin !== undefined || declared?.ramMax !== undefined;
  const isAsked = saysRam || resources.ramMin > SILENT_RAM_MIB;
  const saysDisk = declared?.tmpdirMin !== undefined || declared?.outdirMin !== undefined;
  return {
    cores: resources.coresMin,
    ramMib: isAsked ? (resources.ramMax ?? resources.ramMin) : undefined,
    seconds,
    diskMib: saysDisk ? resources.tmpdirMin + resources.outdirMin : undefined,
  };
}

/** The container engine's program represents the job; its streams are the job's, so they are files outside. */
function containerLaunch(job: BoundJob, plan: JobPlan, { containment, image }: Contained) {
  const { engine, choice, view, limits } = containment;
  const { name } = choice.source;
  const command = engine.command({
    runId: job.runId,
    jobId: job.jobId,
    attempt: job.attempt,
    image: image ?? { name, reference: name, digest: null },
    argv: plan.argv,
    env: { ...containerEnvironment(plan.runtime, plan.environment), ...markerOf(job) },
    workdir: plan.runtime.outdir,
    mounts: view.mounts,
    networkAccess: plan.networkAccess,
    limits,
  });
  const stdin = stdinOutside(plan, view);
  if (engine.kind === "tes") return { ...command, stdin, task: taskOf(plan, containment) };
  return { ...command, stdin, container: engine.kind };
}

/** A task reads its standard input from its path in the container. */
function taskOf({ stdin, runtime }: JobPlan, { choice, view, reach }: Containment): LaunchTask {
  const { outdir: workdir, tmpdir } = runtime;
  return { image: choice.image, workdir, tmpdir, stdin, mounts: view.mounts, reach };
}

function stdinOutside({ stdin }: JobPlan, { toOutside }: Containment["view"]): string {
  if (stdin === undefined) return "/dev/null";
  const path = toOutside(stdin);
  if (path !== undefined) return path;
  throw new CwlFailure("STAGE_IN", `\`${stdin}\` is a file of the container's image, which cannot be standard input`, {
    place: "stdin",
  });
}

/** The recorded command. For a container, this is the engine's program, which has the server's environment. */
export function commandOf(plan: JobPlan, launch: Launch): Command {
  return {
    argv: [...launch.argv],
    workdir: launch.workdir,
    env: launch.container === undefined ? { ...launch.env } : {},
    ...(plan.stdin === undefined ? {} : { stdin: launch.stdin }),
    stdout: launch.stdout,
    stderr: launch.stderr,
  };
}

interface JobFolders {
  readonly outdir: string;
  readonly tmpdir: string;
}

type Definitions = Readonly<Record<string, string>>;

/**
 * The environment of a job, built from scratch (CWL v1.2 CommandLineTool.html#Runtime_environment). HOME is the output
 * directory, TMPDIR its own folder, PATH the server's. The folder of Weft's own Node comes last in PATH, for tools
 * written for Node on machines without one.
 */
export function jobEnvironment(folders: JobFolders, definitions: Definitions): Definitions {
  const path = [process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin", dirname(process.execPath)].join(delimiter);
  return { PATH: path, LANG: "C.UTF-8", ...containerEnvironment(folders, definitions) };
}

/** The variables of a containerized job in addition to those of its image, PATH among them: none from this machine. */
export function containerEnvironment(folders: JobFolders, definitions: Definitions): Definitions {
  for (const [name, value] of Object.entries(definitions)) {
    if (environmentNameProblem(name) !== undefined || value.includes("\0")) {
      throw new CwlFailure("EXPRESSION", `"${name}" cannot be set as an environment variable`, {
        place: "EnvVarRequirement",
      });
    }
  }
  return { ...definitions, HOME: folders.outdir, TMPDIR: folders.tmpdir };
}
