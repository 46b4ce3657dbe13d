import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { JobPlan, StagingEntry } from "@weft/cwl/model/job-plan.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { CommandLineTool } from "@weft/cwl/model/process.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";
import { checkContainedStdin } from "../container/check-contained-stdin.ts";
import type { Launch } from "../executor/executor.ts";
import { removeBelowTrusted } from "../files/beneath/open-folder.ts";
import { codeOf } from "../files/beneath/system-calls.ts";
import type { SecretStore } from "../secrets/secret-store.ts";
import { revealStaging } from "../secrets/wipe-job.ts";
import { chooseContainer, containerChosenBefore } from "./container/choose-container.ts";
import type { ContainerServices } from "./container/choose-container.ts";
import { containJob, recordChoice } from "./container/contain-job.ts";
import type { Containment, ContainmentServices } from "./container/contain-job.ts";
import { fetchImage } from "./container/fetch-image.ts";
import type { ImageServices } from "./container/fetch-image.ts";
import type { Job } from "./job.ts";
import { launchOf, pathsOf, planCommand } from "./launch-command.ts";
import { sandboxJob } from "./sandbox-job.ts";
import type { SandboxServices } from "./sandbox-job.ts";
import { makeWayForStreams } from "./stage/make-way-for-streams.ts";
import { mayUpdateInPlace } from "./stage/may-update-in-place.ts";
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
  readonly sandbox: JobSandbox | undefined;
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
