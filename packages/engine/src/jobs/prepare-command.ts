import { mkdirSync } from "node:fs";
import { join, basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { JobPlan, StagingEntry } from "@weft/cwl/model/job-plan.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { CommandLineTool } from "@weft/cwl/model/process.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { JobSandbox as SandboxRecord } from "@weft/shared/records/sandbox-record.ts";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { checkContainedStdin } from "../container/check-contained-stdin.ts";
import type { Launch } from "../executor/executor.ts";
import { removeBelowTrusted, openTrustedFolder } from "../files/beneath/open-folder.ts";
import { codeOf } from "../files/beneath/system-calls.ts";
import type { SecretStore } from "../secrets/secret-store.ts";
import { revealStaging } from "../secrets/wipe-job.ts";
import { runLater, runNow } from "../files/beneath/steps.ts";
import type { Reach } from "../files/beneath/reach.ts";
import type { SandboxedLaunch, JobSandbox } from "../sandbox/job-sandbox.ts";
import type { OpenFolder } from "../files/beneath/open-folder.ts";
import { isBelow } from "../files/is-below.ts";
import { chooseContainer, containerChosenBefore } from "./container/choose-container.ts";
import type { ContainerServices } from "./container/choose-container.ts";
import { containJob, recordChoice } from "./container/contain-job.ts";
import type { Containment, ContainmentServices } from "./container/contain-job.ts";
import { fetchImage } from "./container/fetch-image.ts";
import type { ImageServices } from "./container/fetch-image.ts";
import type { Job } from "./job.ts";
import { launchOf, pathsOf, planCommand } from "./launch-command.ts";
import { stageFiles } from "./stage/stage-files.ts";
import type { StageServices } from "./stage/stage-files.ts";

export interface PrepareCommandServices
  extends ContainerServices, ContainmentServices, ImageServices, SandboxServices, StageServices {
  readonly files: FileAccess;
  readonly secrets: SecretStore;
}

/** A command for which everything before its start is done. */
export interface PreparedCommand {
  readonly plan: JobPlan;
  readonly launch: Launch;
  readonly containment: Containment | undefined;
  readonly container: JobContainer | undefined;
  /** Undefined if something else holds it. */
  readonly sandbox: SandboxRecord | undefined;
}

/** The plan, image, folders and staged files. For a reattached job they exist and are only described again. */
export async function prepareCommand(
  job: Job,
  tool: CommandLineTool,
  { services, signal }: { readonly services: PrepareCommandServices; readonly signal: AbortSignal },
): Promise<PreparedCommand> {
  const { startedBefore } = job;
  const choice =
    startedBefore === undefined
      ? await chooseContainer(job, services)
      : containerChosenBefore(job, startedBefore.container, services);
  const plan = await planCommand(job, tool, choice);
  const staged = await withLocalFiles(plan, services.files);
  const local = {
    ...staged,
    inplaceUpdate: mayUpdateInPlace(staged, join(services.runsFolder, job.runId), services.reach),
  };
  const containment =
    choice?.engine === undefined ? undefined : containJob(job, local, { choice, outside: pathsOf(job), services });
  if (startedBefore !== undefined) {
    const launch = launchOf(job, plan, containment && { containment, image: undefined });
    const { container, sandbox } = startedBefore;
    return { plan, launch, containment, container: container ?? undefined, sandbox: sandbox ?? undefined };
  }
  const image = containment && (await fetchImage(job, containment.choice, { services, signal }));
  const isPlain = containment === undefined && job.backend === "local";
  const enclosed = isPlain ? await sandboxJob(job, local, services) : undefined;
  const launch = { ...launchOf(job, plan, containment && { containment, image }), ...enclosed?.launch };
  await createFolders(job);
  await fillFolders(job, local, { services, containment });
  if (containment !== undefined) await checkContainedStdin(launch, containment.view.mounts);
  return { plan, launch, containment, container: recordChoice(choice, image), sandbox: enclosed?.record };
}

interface Preparing {
  readonly services: PrepareCommandServices;
  readonly containment: Containment | undefined;
}

/**
 * An existing folder was left by a server that crashed before it recorded the start: nothing ran in it. Creates folders
 * synchronously, because the state folder is on a local disk and a thread would cost more than it saves.
 */
async function createFolders(job: Job): Promise<void> {
  const { outdir, tmpdir } = pathsOf(job);
  await makeEmpty(job.folder);
  mkdirSync(outdir);
  mkdirSync(tmpdir);
}

async function fillFolders(job: Job, plan: JobPlan, { services, containment }: Preparing): Promise<void> {
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

interface SandboxServices {
  readonly jobSandbox: JobSandbox;
  readonly runsFolder: string;
  readonly reach: Reach;
}

/** Puts a job without a container into a sandbox on this machine. `plan`: with the actual locations of the files. */
async function sandboxJob(job: Job, plan: JobPlan, services: SandboxServices): Promise<SandboxedLaunch> {
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
    // In an empty folder, nothing can block a plain name.
    if (name !== undefined && !(isEmpty && !name.includes("/"))) makeWay(outdir, name, stream);
}

function makeWay(outdir: string, name: string, stream: string): void {
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
