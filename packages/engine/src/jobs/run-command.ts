import { mkdirSync, rmdirSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { JobPlan, StagingEntry } from "@weft/cwl/model/job-plan.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { CommandLineTool } from "@weft/cwl/model/process.ts";
import { classifyExit } from "@weft/cwl/outputs/classify-exit.ts";
import { collectOutputs } from "@weft/cwl/outputs/collect-outputs.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";
import { checkContainedStdin } from "../container/check-contained-stdin.ts";
import { chooseContainer, containerChosenBefore } from "./container/choose-container.ts";
import type { ContainerServices } from "./container/choose-container.ts";
import { containJob, recordChoice } from "./container/contain-job.ts";
import type { Containment, ContainmentServices } from "./container/contain-job.ts";
import { restoreLinks } from "../container/restore-links.ts";
import type { JobExit, Launch, RunningJob } from "../executor/executor.ts";
import type { NewEvent } from "../journal/journal-event.ts";
import { recordBeginning } from "../journal/record-beginning.ts";
import { sandboxedExit, withSandboxHint } from "../sandbox/sandbox-failure.ts";
import { revealLaunch, showsSecret } from "./reveal-launch.ts";
import { removeBelowTrusted } from "../files/beneath/open-folder.ts";
import { codeOf } from "../files/beneath/system-calls.ts";
import { revealStaging } from "../secrets/wipe-job.ts";
import { sandboxJob } from "./sandbox-job.ts";
import type { SandboxServices } from "./sandbox-job.ts";
import { exitFailure, timeLimitFailure } from "./exit-failure.ts";
import type { JobMemory } from "./exit-failure.ts";
import { fetchImage } from "./container/fetch-image.ts";
import type { ImageServices } from "./container/fetch-image.ts";
import { signalOf } from "./job-failure.ts";
import type { Job, JobControl } from "./job.ts";
import { commandOf, launchOf, pathsOf, planCommand } from "./launch-command.ts";
import { makeWayForStreams } from "./stage/make-way-for-streams.ts";
import { mayUpdateInPlace } from "./stage/may-update-in-place.ts";
import { readTail } from "../files/read-tail.ts";
import { canceledEnd, failedEnd, identify, NOTHING_KNOWN, startedEvent } from "./job-events.ts";
import type { JobEnd } from "./job-events.ts";
import { stageFiles } from "./stage/stage-files.ts";
import type { StageServices } from "./stage/stage-files.ts";
import { waitForExit } from "./wait-for-exit.ts";
import type { TimeLimit, TimeLimitServices } from "./wait-for-exit.ts";
import type { RunLog } from "../journal/run-log.ts";
import type { SecretStore } from "../secrets/secret-store.ts";

const MIB = 1024 * 1024;

export interface CommandServices
  extends
    RunLog,
    ContainerServices,
    ContainmentServices,
    ImageServices,
    SandboxServices,
    StageServices,
    TimeLimitServices {
  readonly files: FileAccess;
  readonly secrets: SecretStore;
}

/**
 * One CommandLineTool from its plan to its outputs. The order is what makes a crash harmless: folders and staging first
 * (they can be made again), then the intent in the log, then the start, whose claim decides who runs it, and at last the
 * outputs, which are collected from what the folder holds.
 */
interface Control extends JobControl {
  readonly services: CommandServices;
}

export async function runCommand(job: Job, tool: CommandLineTool, control: Control): Promise<JobEnd> {
  let prepared: PreparedCommand;
  try {
    prepared = await prepareCommand(job, tool, control);
  } catch (error) {
    // Waiting for an image ends with the run.
    if (control.signal.aborted) return canceledEnd();
    return failedEnd(error, "STAGE_IN");
  }
  const { plan, launch, container, sandbox } = prepared;
  if (!control.reattached) {
    const started = startedEvent(job, { command: commandOf(plan, launch), container, sandbox }, control.services);
    await recordBeginning([started], control.services.journal, control.signal);
  }
  if (control.signal.aborted) return canceledEnd();
  const running = control.reattached ? control.services.executor.reattach(launch) : startJob(launch, control.services);
  void recordStart(job, running, control.services);
  const limit = { seconds: plan.timeLimitSeconds, services: control.services };
  const { exit: ended, timeLimit } = await waitForExit(job, running, limit);
  const exit =
    sandbox?.kind === "bubblewrap" ? await sandboxedExit(ended, () => readTail(job.folder, "stderr")) : ended;
  if (control.signal.aborted) return canceledEnd(recordOf(exit));
  const { exitCode } = recordOf(exit);
  if (exitCode !== null) {
    const data = { exit_code: exitCode, signal: signalOf(exitCode) };
    recordFact({ type: "job.exited", ...identify(job), data }, control.services);
  }
  return finish(job, tool, { ...control, ...prepared, exit, timeLimit });
}

function startJob(launch: Launch, { executor, secrets, log }: CommandServices): RunningJob {
  const known = secrets.of(launch.runId);
  if (showsSecret(launch, known)) {
    const { runId, jobId } = launch;
    log("warn", "a secret stands on the command line of a job, which other accounts of this machine can read", {
      run_id: runId,
      job_id: jobId,
    });
  }
  if (launch.backend === "tes" && !known.isEmpty)
    log("warn", "a run with secrets has a job at the TES server, which keeps what its tasks are given", {
      run_id: launch.runId,
      job_id: launch.jobId,
    });
  return executor.start(revealLaunch(launch, known));
}

interface PreparedCommand {
  readonly plan: JobPlan;
  readonly launch: Launch;
  readonly containment: Containment | undefined;
  readonly container: JobContainer | undefined;
  /** Undefined where something else holds it. */
  readonly sandbox: JobSandbox | undefined;
}

/** Everything before the start: plan, image, folders. A reattached job's are there; they are only described again. */
async function prepareCommand(job: Job, tool: CommandLineTool, control: Control): Promise<PreparedCommand> {
  const { services, reattached } = control;
  const choice = reattached
    ? containerChosenBefore(job, control.container, services)
    : await chooseContainer(job, services);
  const plan = await planCommand(job, tool, choice);
  const staged = await withLocalFiles(plan, services.files);
  const local = {
    ...staged,
    inplaceUpdate: mayUpdateInPlace(staged, join(services.runsFolder, job.runId), services.reach),
  };
  const containment =
    choice?.engine === undefined ? undefined : containJob(job, local, { choice, outside: pathsOf(job), services });
  const image =
    containment === undefined || reattached ? undefined : await fetchImage(job, containment.choice, control);
  const { sandbox, words } = await sandboxJob(job, local, { ...control, isContained: containment !== undefined });
  const launch = { ...launchOf(job, plan, containment && { containment, image }), sandbox: words };
  if (!reattached) await prepareFolders(job, local, { services, containment });
  if (!reattached && containment !== undefined) await checkContainedStdin(launch, containment.view.mounts);
  const container = reattached ? (control.container ?? undefined) : recordChoice(choice, image);
  return { plan, launch, containment, container, sandbox };
}

interface Preparing {
  readonly services: CommandServices;
  readonly containment: Containment | undefined;
}

/**
 * What is there already was left by a server that ended before it had the start on record: nothing ran in it. Folders are
 * made at once: the state folder is on a local disk, and a thread in between costs more than it frees.
 */
async function prepareFolders(job: Job, plan: JobPlan, { services, containment }: Preparing): Promise<void> {
  const { outdir, tmpdir } = pathsOf(job);
  await makeEmpty(job.folder);
  mkdirSync(outdir);
  mkdirSync(tmpdir);
  const updatable = plan.inplaceUpdate ? join(services.runsFolder, job.runId) : undefined;
  const staging = containment?.view.staging ?? plan.staging;
  const revealed = revealStaging(staging, services.secrets.of(job.runId), job.folder);
  if (revealed.length > 0) await stageFiles(revealed, { folder: job.folder, updatable, services });
  makeWayForStreams(outdir, plan, revealed.length === 0);
}

async function makeEmpty(folder: string): Promise<void> {
  try {
    mkdirSync(folder);
    return;
  } catch (error) {
    // The first job of a run makes the folder of its jobs too.
    if (codeOf(error) !== "EEXIST" && codeOf(error) !== "ENOENT") throw error;
  }
  await removeBelowTrusted(folder);
  mkdirSync(folder, { recursive: true });
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
function recordFact(event: NewEvent, services: CommandServices): void {
  services.journal.append([event]).catch((error: unknown) => {
    services.log("warn", "a fact about a job was not recorded", {
      run_id: event.run_id,
      type: event.type,
      error: String(error),
    });
  });
}

async function recordStart(job: Job, running: RunningJob, services: CommandServices): Promise<void> {
  const nativeId = await running.started;
  if (nativeId === undefined) return;
  recordFact({ type: "job.running", ...identify(job), data: { native_id: nativeId } }, services);
}

interface Finished extends Omit<Control, "container" | "sandbox">, PreparedCommand {
  readonly exit: JobExit;
  readonly timeLimit: TimeLimit | undefined;
}

async function finish(job: Job, tool: CommandLineTool, finished: Finished): Promise<JobEnd> {
  const { exit, plan, launch, sandbox, timeLimit } = finished;
  const failure =
    timeLimit === undefined ? exitFailure(tool, exit, memoryOf(job, finished)) : timeLimitFailure(timeLimit.seconds);
  if (failure === undefined) {
    finished.onExit();
    return collect(job, tool, finished);
  }
  const stderr = await tailOfStderr(launch);
  const { networkAccess } = plan;
  const isClosedIn = sandbox?.kind === "bubblewrap";
  const reason = isClosedIn ? withSandboxHint(failure.reason, { networkAccess, stderr }) : failure.reason;
  return {
    outcome: { status: "failed", ...failure, reason },
    ...recordOf(exit),
    kill: timeLimit?.kill,
    isTemporary: exit.kind === "exited" && classifyExit(tool, exit.exitCode) === "temporaryFail",
    stderrTail: stderr,
  };
}

/** What a job that ran out of memory had. */
function memoryOf({ resources }: Job, { containment, launch, services }: Finished): JobMemory {
  const { limitsMemory = false } = services.executor;
  const ownLimit = limitsMemory && launch.backend === "local" ? launch.ramLimitBytes : undefined;
  const containerMib = containment?.limits.ramMib;
  return {
    requestedBytes: resources.ramMin * MIB,
    limitBytes: containerMib === undefined ? ownLimit : containerMib * MIB,
    inContainer: containment !== undefined,
  };
}

async function collect(job: Job, tool: CommandLineTool, finished: Finished): Promise<JobEnd> {
  const { plan, exit, launch, containment, container, services } = finished;
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
    return { outcome: { status: "success", outputs }, ...record, made: { container, staging: plan.staging } };
  } catch (error) {
    return { ...failedEnd(error, "STAGE_OUT"), ...record, stderrTail: await tailOfStderr(launch) };
  }
}

/** The end of the file that the tool names; if it does not exist, the output of starting the job. */
async function tailOfStderr({ folder, stderr }: Launch): Promise<string | undefined> {
  return (await readTail(folder, relative(folder, stderr))) ?? readTail(folder, "stderr");
}

/** Most jobs leave it empty. */
async function removeFolder(folder: string): Promise<void> {
  try {
    rmdirSync(folder);
  } catch {
    await removeBelowTrusted(folder);
  }
}

function recordOf(exit: JobExit): Pick<JobEnd, "exitCode" | "used"> {
  return exit.kind === "exited" ? { exitCode: exit.exitCode, used: exit.used } : NOTHING_KNOWN;
}
