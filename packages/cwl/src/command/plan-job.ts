/**
 * Turns a tool and its inputs into a job plan, which contains everything that an executor needs: a pure value, equal for
 * equal arguments. The order matters: files get their paths, then InitialWorkDirRequirement may move them, and only then are the command line,
 * environment and streams evaluated, with the final paths.
 */
import { CwlFailure } from "../cwl-failure.ts";
import type { Evaluator } from "../expression/evaluate.ts";
import { mergeStaging } from "../files/staging/merge-staging.ts";
import { assignPaths, stagingForInputs } from "../files/staging/plan-staging.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import type { CommandLineTool } from "../model/process.ts";
import { neverGiveWay, type GiveWay } from "../give-way.ts";
import { buildCommandLine } from "./build-command-line.ts";
import type { JobPaths, JobPlan, Runtime } from "../model/job-plan.ts";
import { planEnvironment } from "./plan-environment.ts";
import { planLimits } from "./plan-limits.ts";
import { planStreams } from "./plan-streams.ts";
import { planWorkDir } from "./work-dir/plan-work-dir.ts";

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

/** Plans one execution of a tool. Rejects with a CwlFailure that names the place in the document. */
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
