import { mkdirSync } from "node:fs";
import { join, basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { JobPlan, StagingEntry } from "@weft/cwl/model/job-plan.ts";
import type { CommandLineTool, ExpressionTool } from "@weft/cwl/model/process.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { JobSandbox as SandboxRecord } from "@weft/shared/records/sandbox-record.ts";
import { checkContainedStdin } from "../container/check-contained-stdin.ts";
import type { ContainerChoice } from "../container/containers.ts";
import type { Launch } from "../executor/executor.ts";
import { removeBelowTrusted, openTrustedFolder, type OpenFolder } from "../files/beneath/open-folder.ts";
import type { Reach } from "../files/beneath/reach.ts";
import { runLater, runNow } from "../files/beneath/steps.ts";
import { codeOf } from "../files/beneath/system-calls.ts";
import { isBelow } from "../files/is-below.ts";
import { recordBeginning, untilHealthy } from "../journal/record-beginning.ts";
import type { SandboxedLaunch } from "../sandbox/job-sandbox.ts";
import { revealStaging } from "../secrets/wipe-job.ts";
import {
  chooseContainer,
  containerChosenBefore,
  containJob,
  fetchImage,
  recordChoice,
  type Containment,
} from "./job-container.ts";
import { canceledEnd, failedEnd, startedEvent } from "./job-events.ts";
import type { JobContext, JobServices } from "./job-services.ts";
import type { BegunJob, BoundJob, ComparedJob, JobEnd, NewJob } from "./job.ts";
import { commandOf, launchOf, pathsOf, planCommand } from "./launch-command.ts";
import { stageFiles } from "./stage/stage-files.ts";

/** A job that can start as soon as it has its turn. */
export type PreparedJob = PreparedCommand | PreparedExpression;

export interface PreparedExpression {
  readonly kind: "expression";
  readonly job: ComparedJob;
  readonly tool: ExpressionTool;
}

/** A command that is ready to start. */
export interface PreparedCommand {
  readonly kind: "command";
  readonly job: ComparedJob;
  readonly tool: CommandLineTool;
  readonly plan: JobPlan;
  readonly launch: Launch;
  readonly containment: Containment | undefined;
  readonly container: JobContainer | undefined;
  /** The sandbox; undefined if a container or remote system isolates the job. */
  readonly sandbox: SandboxRecord | undefined;
}

/**
 * Does everything that precedes the start of a job, whether or not it has its turn yet. The order makes a crash
 * harmless: folders and staging first (they can be repeated), then the intent in the log. Afterwards, `startJob` starts
 * the program, and the claim of its folder decides who runs it. Rejects only if the journal cannot be written.
 */
export async function prepareJob(job: ComparedJob, { services, turn }: JobContext): Promise<PreparedJob | JobEnd> {
  const { process } = job;
  // A job that cannot be recorded does not begin, because it would only fail for the same reason.
  if (job.kind === "new") await untilHealthy(services.journal, turn.signal);
  if (turn.signal.aborted) return canceledEnd();
  switch (process.class) {
    case "CommandLineTool":
      return prepareCommand(job, process, { services, turn });
    case "ExpressionTool":
      return { kind: "expression", job, tool: process };
    case "Operation": {
      const message = `${process.name} is an Operation: it has no implementation to run`;
      return failedEnd(new CwlFailure("UNSUPPORTED", message), "STAGE_IN");
    }
  }
}

async function prepareCommand(
  job: ComparedJob,
  tool: CommandLineTool,
  { services, turn }: JobContext,
): Promise<PreparedCommand | JobEnd> {
  const { signal } = turn;
  let prepared: PreparedCommand;
  try {
    prepared =
      job.kind === "begun"
        ? await describeCommand(job, tool, services)
        : await layOutCommand(job, tool, { services, signal });
  } catch (error) {
    // Stopping the run stops waiting for an image.
    return signal.aborted ? canceledEnd() : failedEnd(error, "STAGE_IN");
  }
  if (job.kind === "new") {
    const { plan, launch, container, sandbox } = prepared;
    const start = { command: commandOf(plan, launch), container, sandbox, isAhead: !turn.isGranted };
    await recordBeginning([startedEvent(job, start, services)], services.journal, signal);
  }
  return prepared;
}

/** The image, folders and staged files exist, and are only described again. */
async function describeCommand(job: BegunJob, tool: CommandLineTool, services: JobServices): Promise<PreparedCommand> {
  const { container, sandbox } = job.begun;
  const planned = await planLocally(job, tool, containerChosenBefore(job, container, services), services);
  const { plan, containment } = planned;
  const launch = launchOf(job, plan, containment && { containment, image: undefined });
  return {
    ...{ kind: "command", job, tool, plan, launch, containment },
    ...{ container: container ?? undefined, sandbox: sandbox ?? undefined },
  };
}

/** Plans the command, fetches its image, and makes its folder with the staged files. */
async function layOutCommand(
  job: NewJob,
  tool: CommandLineTool,
  { services, signal }: { readonly services: JobServices; readonly signal: AbortSignal },
): Promise<PreparedCommand> {
  const choice = await chooseContainer(job, services);
  const { plan, local, containment } = await planLocally(job, tool, choice, services);
  const image = containment && (await fetchImage(job, containment.choice, { services, signal }));
  const isPlain = containment === undefined && job.backend === "local";
  const enclosed = isPlain ? await sandboxJob(job, local, services) : undefined;
  const launch = { ...launchOf(job, plan, containment && { containment, image }), ...enclosed?.launch };
  await createFolders(job);
  await fillFolders(job, local, { services, containment });
  if (containment !== undefined) await checkContainedStdin(launch, containment.view.mounts);
  return {
    ...{ kind: "command", job, tool, plan, launch, containment },
    ...{ container: recordChoice(choice, image), sandbox: enclosed?.record },
  };
}

/** `local`: the plan with the actual locations of the files. */
async function planLocally(
  job: ComparedJob,
  tool: CommandLineTool,
  choice: ContainerChoice | undefined,
  services: JobServices,
) {
  const plan = await planCommand(job, tool, choice);
  const staged = await withLocalFiles(plan, services.files);
  const inplaceUpdate = mayUpdateInPlace(staged, join(services.runsFolder, job.runId), services.reach);
  const local = { ...staged, inplaceUpdate };
  const containment =
    choice?.engine === undefined ? undefined : containJob(job, local, { choice, outside: pathsOf(job), services });
  return { plan, local, containment };
}

interface Preparing {
  readonly services: JobServices;
  readonly containment: Containment | undefined;
}

/**
 * An existing folder was left by a server that crashed before it recorded the start: nothing ran in it. Creates folders
 * synchronously, because the state folder is on a local disk and a thread would cost more than it saves.
 */
async function createFolders(job: BoundJob): Promise<void> {
  const { outdir, tmpdir } = pathsOf(job);
  await makeEmpty(job.folder);
  mkdirSync(outdir);
  mkdirSync(tmpdir);
}

async function fillFolders(job: BoundJob, plan: JobPlan, { services, containment }: Preparing): Promise<void> {
  const { outdir } = pathsOf(job);
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
    // The first job of a run also creates the folder of its jobs.
    if (codeOf(error) !== "EEXIST" && codeOf(error) !== "ENOENT") throw error;
  }
  await removeBelowTrusted(folder);
  mkdirSync(folder, { recursive: true });
}

/** Remote files have been fetched by now; their bytes are staged. */
async function withLocalFiles(plan: JobPlan, files: FileAccess): Promise<JobPlan> {
  const staging: StagingEntry[] = [];
  for (const entry of plan.staging) {
    const isRemote = (entry.kind === "link" || entry.kind === "copy") && files.isRemote?.(entry.source) === true;
    staging.push(isRemote ? { ...entry, source: (await files.realUri(entry.source)) ?? entry.source } : entry);
  }
  return { ...plan, staging };
}

/** Puts a job without a container into a sandbox on this machine. `plan`: with the actual locations of the files. */
async function sandboxJob(job: BoundJob, plan: JobPlan, services: JobServices): Promise<SandboxedLaunch> {
  const { outdir, tmpdir } = pathsOf(job);
  const { staging, inplaceUpdate, networkAccess, stdin, stdout, stderr } = plan;
  const created = (name: string | undefined) => (name === undefined ? undefined : join(outdir, name));
  const runFolder = join(services.runsFolder, job.runId);
  // A link to the server's own files must not expose them to the job.
  const realPath = (path: string) => runLater(services.reach.realPath(path));
  const streams = { stdin, stdout: created(stdout), stderr: created(stderr) };
  const enclosed = { outdir, tmpdir, runFolder, staging, inplaceUpdate, networkAccess, realPath };
  return services.jobSandbox.enclose(enclosed, streams);
}

/**
 * Whether a job that requests it (InplaceUpdateRequirement) may change files of its run in place. Not if one of them
 * has hard links, like a file reused from an earlier run; then the job gets copies.
 */
function mayUpdateInPlace({ inplaceUpdate, staging }: JobPlan, runFolder: string, reach: Reach): boolean {
  if (!inplaceUpdate) return false;
  return staging.every((entry) => {
    if (entry.kind !== "copy") return true;
    const path = fileURLToPath(entry.source);
    if (!isBelow(path, runFolder)) return true;
    using folder = runNow(reach.openFolder(dirname(path)));
    return hasOneName(folder, basename(path));
  });
}

function hasOneName(folder: OpenFolder, name: string): boolean {
  const found = runNow(folder.lstat(name));
  if (found?.isDirectory() !== true) return found?.nlink === 1;
  using inner = runNow(folder.folder(name));
  return runNow(inner.entries()).every((entry) => hasOneName(inner, entry.name));
}

/**
 * Prepares the output folder for the stream files that starting a job creates. Their paths pass through real folders only,
 * never through a link. Removes a file that came with a copied folder, because it is the job's own copy. No process of the
 * job runs yet, so a check made here remains valid. `isEmpty`: nothing was staged.
 */
function makeWayForStreams(
  outdir: string,
  { stdout, stderr }: Pick<JobPlan, "stdout" | "stderr">,
  isEmpty: boolean,
): void {
  for (const [stream, name] of Object.entries({ stdout, stderr }))
    // In an empty folder, no entry can be in the way of a plain name.
    if (name !== undefined && !(isEmpty && !name.includes("/"))) createParents(outdir, name, stream);
}

function createParents(outdir: string, name: string, stream: string): void {
  const above = name.split("/");
  const last = above.pop() ?? "";
  let inner = runNow(openTrustedFolder(outdir));
  try {
    for (const part of above) {
      const outer = inner;
      if (runNow(outer.lstat(part))?.isDirectory() !== true)
        refuse(stream, name, `\`${part}\` in its path is a link or file, not a folder`);
      inner = runNow(outer.folder(part));
      outer.close();
    }
    const found = runNow(inner.lstat(last));
    if (found?.isDirectory() === true) refuse(stream, name, "a staged folder has this name");
    if (found !== undefined) runNow(inner.removeFile(last));
  } finally {
    inner.close();
  }
}

function refuse(stream: string, name: string, why: string): never {
  throw new CwlFailure("STAGE_IN", `\`${stream}\` cannot be written to \`${name}\`: ${why}`, {
    place: stream,
    hint: `give \`${stream}\` another name`,
  });
}
