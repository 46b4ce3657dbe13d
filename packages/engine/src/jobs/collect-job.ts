import { setImmediate } from "node:timers/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { classifyExit } from "@weft/cwl/outputs/classify-exit.ts";
import { collectOutputs } from "@weft/cwl/outputs/collect-outputs.ts";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { restoreLinks } from "../container/restore-links.ts";
import type { Machine, Launch } from "../executor/executor.ts";
import { removeBelowTrusted } from "../files/beneath/open-folder.ts";
import { readTail } from "../files/read-tail.ts";
import { withSandboxHint } from "../sandbox/sandbox-failure.ts";
import { wipeJob } from "../secrets/wipe-job.ts";
import { filesOf } from "../values/map-files.ts";
import { failedEnd } from "./job-events.ts";
import {
  exitFailure,
  signalOf,
  timeLimitFailure,
  withStderrHint,
  type JobFailure,
  type JobMemory,
} from "./job-failure.ts";
import type { JobContext, JobServices } from "./job-services.ts";
import type { BoundJob, JobEnd } from "./job.ts";
import { pathsOf } from "./launch-command.ts";
import { recordOf, removeIfEmpty, type ExitedJob } from "./start-job.ts";

const MIB = 1024 * 1024;

/**
 * Judges the exit of a program and collects its outputs. Releases the reservation as soon as the program has succeeded. If it
 * failed, the run must know first, so that nothing starts that should not. The end is not recorded yet.
 */
export async function collectJob(exited: ExitedJob, context: JobContext): Promise<JobEnd> {
  const end = await endOf(exited, context);
  removeIfEmpty(pathsOf(exited.job).tmpdir);
  return { ...end, ranMs: exited.facts.end() };
}

async function endOf(exited: ExitedJob, { services, turn }: JobContext): Promise<JobEnd> {
  const { tool, exit, timeLimit, facts } = exited;
  const { exitCode } = recordOf(exit);
  if (exitCode !== null) facts.exited(exitCode, signalOf(exitCode));
  const failure =
    timeLimit === undefined
      ? exitFailure(tool, exit, memoryOf(exited, services.executor))
      : timeLimitFailure(timeLimit.seconds);
  if (failure !== undefined) return failedCommand(exited, failure);
  turn.release();
  // If another job has ended meanwhile, its slot is filled first.
  await setImmediate();
  return collect(exited, services);
}

async function failedCommand(exited: ExitedJob, failure: JobFailure): Promise<JobEnd> {
  const { job, tool, exit, plan, launch, sandbox, timeLimit } = exited;
  const stderr = await tailOfStderr(launch);
  if (exit.kind !== "rejected" && exit.cause?.clearsFiles === true) {
    const { outdir, tmpdir } = pathsOf(job);
    for (const path of [outdir, tmpdir]) await removeBelowTrusted(path);
  }
  const { networkAccess } = plan;
  const isClosedIn = sandbox?.kind === "bubblewrap";
  const reason = isClosedIn ? withSandboxHint(failure.reason, { networkAccess, stderr }) : failure.reason;
  return {
    outcome: { status: "failed", ...failure, reason: withStderrHint(reason, stderr) },
    ...recordOf(exit),
    kill: timeLimit?.kill,
    isTemporary: exit.kind === "exited" && classifyExit(tool, exit.exitCode) === "temporaryFail",
    stderrTail: stderr,
  };
}

/** The memory limit of a job, for a message if it ran out of memory. */
function memoryOf({ job, containment, launch }: ExitedJob, { limitsMemory = false }: Machine): JobMemory {
  const ownLimit = limitsMemory && launch.backend === "local" ? launch.ramLimitBytes : undefined;
  const containerMib = containment?.limits.ramMib;
  return {
    requestedBytes: job.resources.ramMin * MIB,
    limitBytes: containerMib === undefined ? ownLimit : containerMib * MIB,
    inContainer: containment !== undefined,
  };
}

async function collect(
  { job, tool, plan, exit, launch, containment, container }: ExitedJob,
  services: JobServices,
): Promise<JobEnd> {
  const record = recordOf(exit);
  const { outdir, tmpdir } = pathsOf(job);
  try {
    if (containment !== undefined) await restoreLinks(outdir, plan.runtime.outdir, containment.view.toOutside);
    const outputs = await collectOutputs({
      tool,
      requirements: job.requirements,
      inputs: plan.inputs,
      runtime: { ...plan.runtime, exitCode: record.exitCode ?? 0 },
      outdirUri: pathToUri(outdir),
      files: services.files,
      evaluator: job.evaluator,
      staging: plan.staging,
    });
    // The launcher removes an empty one.
    await removeBelowTrusted(tmpdir);
    return { outcome: { status: "success", outputs }, ...record, made: { container, staging: plan.staging } };
  } catch (error) {
    return { ...failedEnd(error, "STAGE_OUT"), ...record, stderrTail: await tailOfStderr(launch) };
  }
}

/** The end of the file that the tool names; if it does not exist, the output of starting the job. */
async function tailOfStderr({ folder, stderr }: Launch): Promise<string | undefined> {
  return (await readTail(folder, relative(folder, stderr))) ?? readTail(folder, "stderr");
}

/** Removes secrets from the texts of a job's end and from its folder, so that the end can be recorded. */
export function closeSecrets({ folder, runId }: BoundJob, end: JobEnd, services: JobServices): JobEnd {
  const secrets = services.secrets.of(runId);
  if (secrets.isEmpty) return end;
  const { outcome, stderrTail } = end;
  const tail = stderrTail === undefined ? {} : { stderrTail: secrets.redact(stderrTail) };
  if (outcome.status === "success") {
    wipeJob(folder, new Set(pathsIn(outcome.outputs)));
    return { ...end, ...tail, outcome: { ...outcome, outputs: secrets.conceal(outcome.outputs) } };
  }
  wipeJob(folder);
  if (outcome.status === "canceled") return { ...end, ...tail };
  const reason = { ...outcome.reason, message: secrets.redact(outcome.reason.message) };
  return { ...end, ...tail, outcome: { ...outcome, reason } };
}

function pathsIn(outputs: CwlObject): readonly string[] {
  return filesOf(outputs).flatMap(({ file: { location } }) =>
    location?.startsWith("file:") === true ? [fileURLToPath(location)] : [],
  );
}
