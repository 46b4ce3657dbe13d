/**
 * Turns a tool and its inputs into a job plan, which contains everything that an executor needs: a pure value, equal for
 * equal arguments. The order matters: files get their paths, then InitialWorkDirRequirement may move them, and only then are the command line,
 * environment and streams evaluated, with the final paths.
 */
import { CwlFailure } from "../cwl-failure.ts";
import type { Evaluator } from "../expression/evaluate.ts";
import { mergeStaging, type CreatedFile } from "../files/staging/merge-staging.ts";
import { assignPaths, stagingForInputs } from "../files/staging/plan-staging.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import type { CommandLineTool } from "../model/process.ts";
import { neverGiveWay, type GiveWay } from "../give-way.ts";
import { buildCommandLine } from "./build-command-line.ts";
import type { JobPaths, JobPlan, Runtime, StagingEntry } from "../model/job-plan.ts";
import { planLimits } from "./plan-limits.ts";
import { planWorkDir } from "./work-dir/plan-work-dir.ts";
import { interpolatedText } from "../expression/json-text.ts";
import { kindText } from "../values/value-kind.ts";
import { environmentNameProblem } from "../model/requirement.ts";
import type { WorkDirContext } from "./work-dir/work-dir-items.ts";
import { toRelativePath, type JobPath, type RelativePath } from "../model/safe-name.ts";
import { normalPath, parentFolders, resolveJobPath } from "../model/job-path.ts";

/** The resources that the executor gives the job; at least those requested. Storage and memory in MiB. */
export interface GrantedResources {
  readonly cores: number;
  readonly ram: number;
  readonly tmpdirSize: number;
  readonly outdirSize: number;
}

export interface JobPlanOptions {
  readonly tool: CommandLineTool;
  readonly requirements: RequirementSet;
  /** The result of `bindInputs`. */
  readonly inputs: CwlObject;
  readonly paths: JobPaths;
  readonly resources: GrantedResources;
  readonly evaluator: Evaluator;
  /** True if the job runs in a container whose root folder is its own: files may be staged at absolute paths there. */
  readonly inContainer?: boolean;
  /** Default: never. */
  readonly giveWay?: GiveWay;
}

/** Plans one execution of a tool. Rejects with a CwlFailure that names the field of the document. */
export async function planJob(options: JobPlanOptions): Promise<JobPlan> {
  const { tool, requirements, paths, evaluator, giveWay = neverGiveWay } = options;
  const { outdir, stagedir } = paths;
  const runtime = runtimeOf(options);
  const allowAbsolute = options.inContainer === true && requirements.isRequired("DockerRequirement");
  const staged = assignPaths(options.inputs, stagedir);
  const context = { inputs: staged, runtime };
  const workDir = await planWorkDir({ requirements, inputs: staged, outdir, allowAbsolute, evaluator, context });
  const evaluation = { evaluator, context: { inputs: workDir.inputs, runtime } };
  const streams = await planStreams(tool, outdir, evaluation);
  const argv = await commandLine(options, workDir.inputs, runtime);
  const staging = await stagingForInputs(workDir.inputs, stagedir, giveWay);
  await giveWay();
  return {
    argv,
    stdin: streams.stdin,
    stdout: streams.stdout,
    stderr: streams.stderr,
    environment: await planEnvironment(requirements, evaluation),
    staging: mergeStaging([...staging, ...workDir.staging, ...streams.staging], streams.created),
    inputs: workDir.inputs,
    runtime,
    ...(await planLimits(requirements, evaluation)),
  };
}

/** CWL v1.2 CommandLineTool.html#Runtime_environment: whole numbers, rounded up. */
function runtimeOf({ paths, resources }: JobPlanOptions): Runtime {
  return {
    outdir: paths.outdir,
    tmpdir: paths.tmpdir,
    cores: Math.max(1, Math.ceil(resources.cores)),
    ram: Math.ceil(resources.ram),
    outdirSize: Math.ceil(resources.outdirSize),
    tmpdirSize: Math.ceil(resources.tmpdirSize),
  };
}

async function commandLine(options: JobPlanOptions, inputs: CwlObject, runtime: Runtime): Promise<readonly string[]> {
  const { tool, requirements, evaluator, giveWay = neverGiveWay } = options;
  const shell = requirements.get("ShellCommandRequirement") !== undefined;
  const argv = await buildCommandLine({
    tool,
    inputs,
    shell,
    evaluator,
    context: { inputs, runtime },
    giveWay,
  });
  // A container image may bring its own program. CWL v1.2 CommandLineTool.html#DockerRequirement.
  if (argv.length > 0 || options.inContainer === true) return argv;
  throw new CwlFailure("INPUT_INVALID", `the tool \`${tool.name}\` names no program: its command line is empty`, {
    place: "baseCommand",
  });
}

/**
 * The variables of EnvVarRequirement, by name. Throws INPUT_INVALID or EXPRESSION for an invalid name or value.
 * CWL v1.2 CommandLineTool.html#EnvVarRequirement.
 */
async function planEnvironment(
  requirements: RequirementSet,
  { evaluator, context }: WorkDirContext,
): Promise<{ readonly [name: string]: string }> {
  const variables: [string, string][] = [];
  for (const { envName, envValue } of requirements.get("EnvVarRequirement")?.envDef ?? []) {
    const place = `requirements.EnvVarRequirement.${envName}`;
    const problem = environmentNameProblem(envName);
    if (problem !== undefined) throw new CwlFailure("INPUT_INVALID", problem, { place });
    const value = await evaluator.evaluate(envValue, { ...context, self: null }, { place });
    if (typeof value === "object")
      throw new CwlFailure(
        "EXPRESSION",
        `the environment variable \`${envName}\` must be a string, not ${kindText(value)}`,
        { place },
      );
    const text = interpolatedText(value);
    if (text.includes("\0"))
      throw new CwlFailure("INPUT_INVALID", `the environment variable \`${envName}\` contains a NUL character`, {
        place,
      });
    variables.push([envName, text]);
  }
  return Object.fromEntries(variables);
}

interface StreamPlan {
  /** The absolute path that the job sees; undefined for empty input. */
  readonly stdin: string | undefined;
  /** Path relative to the output folder; undefined for the executor's own log file. */
  readonly stdout: RelativePath | undefined;
  readonly stderr: RelativePath | undefined;
  /** The parent folders of the files for stdout and stderr. */
  readonly staging: readonly StagingEntry[];
  /** Files that the streams create; nothing else may be staged there. */
  readonly created: readonly CreatedFile[];
}

/**
 * The files that the standard streams of a job are connected to. Throws EXPRESSION if a name is not a string.
 * CWL v1.2 CommandLineTool.html#CommandLineTool.
 */
async function planStreams(tool: CommandLineTool, outdir: string, evaluation: WorkDirContext): Promise<StreamPlan> {
  const stdin = await evaluateName(tool.stdin, "stdin", evaluation);
  const stdout = outputPath(await evaluateName(tool.stdout, "stdout", evaluation), "stdout", outdir);
  const stderr = outputPath(await evaluateName(tool.stderr, "stderr", evaluation), "stderr", outdir);
  const folders = [stdout, stderr].flatMap((path) => (path === undefined ? [] : parentFolders(path, outdir)));
  return {
    stdin: stdin === undefined ? undefined : normalPath(stdin.startsWith("/") ? stdin : `${outdir}/${stdin}`),
    stdout: belowFolder(stdout, outdir),
    stderr: belowFolder(stderr, outdir),
    staging: folders,
    created: Object.entries({ stdout, stderr }).flatMap(([by, target]) =>
      target === undefined ? [] : [{ by, target }],
    ),
  };
}

async function evaluateName(
  written: string | undefined,
  place: string,
  { evaluator, context }: WorkDirContext,
): Promise<string | undefined> {
  if (written === undefined) return undefined;
  const value = await evaluator.evaluate(written, { ...context, self: null }, { place });
  if (value === null && place === "stdin") return undefined;
  if (typeof value === "string") return value;
  throw new CwlFailure(
    "EXPRESSION",
    `\`${place}\` must be a file name, but the expression returned ${kindText(value)}`,
    {
      place,
    },
  );
}

function belowFolder(path: JobPath | undefined, folder: string): RelativePath | undefined {
  return path === undefined ? undefined : toRelativePath(path.slice(folder.length + 1));
}

function outputPath(name: string | undefined, place: string, outdir: string): JobPath | undefined {
  if (name === undefined) return undefined;
  return resolveJobPath(name, { outdir, allowAbsolute: false, place });
}
