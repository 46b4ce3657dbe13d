import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JobPlan, StagingEntry } from "@weft/cwl/command/job-plan.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { CommandLineTool } from "@weft/cwl/model/process.ts";
import { classifyExit } from "@weft/cwl/outputs/classify-exit.ts";
import { collectOutputs } from "@weft/cwl/outputs/collect-outputs.ts";
import type { JobContainer } from "@weft/shared/records/container-record.ts";
import { containJob, recordChoice } from "../container/contain-job.ts";
import type { Containment } from "../container/contain-job.ts";
import type { Image } from "../container/container-engine.ts";
import type { ContainerChoice } from "../container/containers.ts";
import { restoreLinks } from "../container/restore-links.ts";
import type { JobExit, Launch, RunningJob } from "../executor/executor.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { recordBeginning } from "../journal/record-beginning.ts";
import type { RunServices } from "../run/run-services.ts";
import { exitReason, signalOf } from "./job-failure.ts";
import type { JobFailure } from "./job-failure.ts";
import type { Job, JobControl } from "./job.ts";
import { commandOf, launchOf, pathsOf, planCommand } from "./launch-command.ts";
import { readTail } from "./read-tail.ts";
import { canceledEnd, failedEnd, identify, startedEvent } from "./job-events.ts";
import type { JobEnd } from "./job-events.ts";
import { stageFiles } from "./stage-files.ts";

/**
 * One CommandLineTool from its plan to its outputs. The order is what makes a crash harmless: folders and staging first
 * (they can be made again), then the intent in the log, then the start, whose claim decides who runs it, and at last the
 * outputs, which are collected from what the folder holds.
 */
interface Control extends JobControl {
  readonly services: RunServices;
}

export async function runCommand(job: Job, tool: CommandLineTool, control: Control): Promise<JobEnd> {
  let prepared: PreparedCommand;
  try {
    prepared = await prepareCommand(job, tool, control);
  } catch (error) {
    // Waiting for an image ends with the run.
    if (control.signal.aborted) return canceledEnd({ exitCode: null, cpuMs: null });
    return failedEnd(error, "STAGE_IN");
  }
  const { plan, launch, container } = prepared;
  if (!control.adopted) {
    const started = startedEvent(job, { command: commandOf(plan, launch), container }, control.services);
    await recordBeginning([started], control.services.journal, control.signal);
  }
  if (control.signal.aborted) return canceledEnd({ exitCode: null, cpuMs: null });
  const running = control.adopted ? control.services.executor.adopt(launch) : control.services.executor.start(launch);
  void recordStart(job, running, control.services);
  const { exit, timedOut } = await waitForExit(job, running, { plan, ...control });
  if (control.signal.aborted) return canceledEnd(recordOf(exit));
  const { exitCode } = recordOf(exit);
  if (exitCode !== null) {
    const data = { exit_code: exitCode, signal: signalOf(exitCode) };
    recordFact({ type: "job.exited", ...identify(job), data }, control.services);
  }
  return finish(job, tool, { ...control, ...prepared, exit, timedOut });
}

interface PreparedCommand {
  readonly plan: JobPlan;
  readonly launch: Launch;
  readonly containment: Containment | undefined;
  readonly container: JobContainer | undefined;
}

/** Everything before the start: plan, image, folders. An adopted job's are there; they are only described again. */
async function prepareCommand(job: Job, tool: CommandLineTool, control: Control): Promise<PreparedCommand> {
  const { services, adopted } = control;
  const choice = adopted ? choiceBefore(job, control) : await services.containers.choose(job.requirements);
  const plan = await planCommand(job, tool, choice);
  const local = await withLocalFiles(plan, services.files);
  const containment =
    choice?.engine === undefined ? undefined : containJob(job, local, { choice, outside: pathsOf(job), services });
  const image = containment === undefined || adopted ? undefined : await prepareImage(job, containment, control);
  const launch = launchOf(job, plan, containment && { containment, image });
  if (!adopted) await prepareFolders(job, local, { services, containment });
  return { plan, launch, containment, container: recordChoice(choice, image) };
}

function choiceBefore(job: Job, { services, container }: Control): ContainerChoice | undefined {
  const requirement = job.requirements.get("DockerRequirement");
  if (requirement === undefined || !container || container.engine === "none") return undefined;
  return services.containers.chosenBefore(container.engine, container.version, requirement);
}

function prepareImage(job: Job, { choice }: Containment, { services, signal }: Control): Promise<Image> {
  const onFetch = async () => {
    const data = { engine: choice.engine.kind, image: choice.image };
    await recordBeginning([{ type: "job.image", ...identify(job), data }], services.journal, signal);
  };
  return services.containers.prepare(choice, { onFetch, signal });
}

interface Preparing {
  readonly services: RunServices;
  readonly containment: Containment | undefined;
}

/**
 * What is there already was left by a server that ended before it had the start on record: nothing ran in it. Folders are
 * made at once: the state folder is on a local disk, and a thread in between costs more than it frees.
 */
async function prepareFolders(job: Job, plan: JobPlan, { services, containment }: Preparing): Promise<void> {
  const { outdir, tmpdir } = pathsOf(job);
  if (existsSync(job.folder)) await rm(job.folder, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  mkdirSync(tmpdir);
  const updatable = plan.inplaceUpdate ? join(services.runsFolder, job.runId) : undefined;
  await stageFiles(containment?.view.staging ?? plan.staging, updatable);
}

/** Files from elsewhere are here by now: their bytes are what is staged. */
async function withLocalFiles(plan: JobPlan, files: FileAccess): Promise<JobPlan> {
  const staging: StagingEntry[] = [];
  for (const entry of plan.staging) {
    const isRemote = (entry.kind === "link" || entry.kind === "copy") && files.isRemote?.(entry.source) === true;
    staging.push(isRemote ? { ...entry, source: (await files.realUri(entry.source)) ?? entry.source } : entry);
  }
  return { ...plan, staging };
}

/** Facts beside the way of a job: nothing waits for them, and without them the job is the same. */
function recordFact(event: NewEvent, services: RunServices): void {
  services.journal.append([event]).catch((error: unknown) => {
    services.log("warn", "a fact about a job was not recorded", {
      run_id: event.run_id,
      type: event.type,
      error: String(error),
    });
  });
}

async function recordStart(job: Job, running: RunningJob, services: RunServices): Promise<void> {
  const nativeId = await running.started;
  if (nativeId === undefined) return;
  recordFact({ type: "job.running", ...identify(job), data: { native_id: nativeId } }, services);
}

/** Waits for the end; past the tool's time limit its processes are ended. */
async function waitForExit(
  job: Job,
  running: RunningJob,
  { plan, services }: Control & { readonly plan: JobPlan },
): Promise<{ exit: JobExit; timedOut: boolean }> {
  const limit = plan.timeLimitSeconds;
  if (limit === undefined || limit <= 0) return { exit: await running.exit, timedOut: false };
  let timedOut = false;
  let killed: Promise<unknown> = Promise.resolve();
  const timer = setTimeout(() => {
    timedOut = true;
    const { runId, jobId, attempt } = job;
    // Its end arrives through `running.exit` like any other.
    killed = services.executor
      .kill({ runId, job: { jobId, attempt }, graceMs: services.graceMs })
      .catch((error: unknown) =>
        services.log("error", "a job past its time limit could not be ended", {
          run_id: runId,
          job_id: jobId,
          error: String(error),
        }),
      );
  }, limit * 1000);
  const exit = await running.exit;
  clearTimeout(timer);
  // The program has ended, but its children may not have: the job is over when nothing of it is left.
  await killed;
  return { exit, timedOut };
}

interface Finished extends Omit<Control, "container">, PreparedCommand {
  readonly exit: JobExit;
  readonly timedOut: boolean;
}

async function finish(job: Job, tool: CommandLineTool, finished: Finished): Promise<JobEnd> {
  const { exit, launch } = finished;
  const failure = failureOf(tool, finished);
  if (failure === undefined) {
    finished.onExit();
    return collect(job, tool, finished);
  }
  return {
    outcome: { status: "failed", ...failure },
    ...recordOf(exit),
    isTemporary: exit.kind === "exited" && classifyExit(tool, exit.exitCode) === "temporaryFail",
    stderrTail: await readTail(launch.stderr),
  };
}

/** Undefined where the tool's exit code means success. */
function failureOf(tool: CommandLineTool, { exit, timedOut, plan, containment }: Finished): JobFailure | undefined {
  if (timedOut) return tooLate(plan.timeLimitSeconds);
  switch (exit.kind) {
    case "rejected":
      return systemFailure(
        exit.isDiskFull === true ? "DISK_FULL" : "SUBMIT_REJECTED",
        `the job could not be started: ${exit.message}`,
      );
    case "lost":
      return systemFailure(
        "BACKEND_LOST",
        "the job's processes are gone without a record of how they ended",
        "something outside Weft ended them, or the machine went down; run again",
      );
    case "exited":
      return classifyExit(tool, exit.exitCode) === "success"
        ? undefined
        : { state: "EXECUTOR_ERROR", reason: exitReason(exit.exitCode, containment?.limits.ramMib) };
  }
}

function tooLate(limit: number | undefined): JobFailure {
  return {
    state: "EXECUTOR_ERROR",
    reason: {
      code: "TIME_LIMIT",
      message: `the tool's time limit of ${limit} s is over`,
      hint: "raise ToolTimeLimit in the tool",
    },
  };
}

function systemFailure(
  code: "SUBMIT_REJECTED" | "BACKEND_LOST" | "DISK_FULL",
  message: string,
  hint?: string,
): JobFailure {
  return { state: "SYSTEM_ERROR", reason: { code, message, ...(hint === undefined ? {} : { hint }) } };
}

async function collect(job: Job, tool: CommandLineTool, finished: Finished): Promise<JobEnd> {
  const { plan, exit, launch, containment, services } = finished;
  const record = recordOf(exit);
  const { outdir, tmpdir } = pathsOf(job);
  try {
    if (containment !== undefined) await restoreLinks(outdir, plan.runtime.outdir, containment.view.toOutside);
    const outputs = await collectOutputs({
      tool,
      requirements: job.requirements,
      inputs: plan.inputs,
      runtime: { ...plan.runtime, exitCode: record.exitCode ?? 0 },
      outdirUri: pathToFileURL(outdir).href,
      files: services.files,
      evaluator: job.evaluator,
      staging: plan.staging,
    });
    await removeFolder(tmpdir);
    return { outcome: { status: "success", outputs }, ...record };
  } catch (error) {
    return { ...failedEnd(error, "STAGE_OUT"), ...record, stderrTail: await readTail(launch.stderr) };
  }
}

/** Most jobs leave it empty. */
async function removeFolder(folder: string): Promise<void> {
  try {
    rmdirSync(folder);
  } catch {
    await rm(folder, { recursive: true, force: true });
  }
}

function recordOf(exit: JobExit): { readonly exitCode: number | null; readonly cpuMs: number | null } {
  return exit.kind === "exited" ? { exitCode: exit.exitCode, cpuMs: exit.cpuMs } : { exitCode: null, cpuMs: null };
}
