import { join } from "node:path";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { normalPath } from "@weft/cwl/model/job-path.ts";
import type { JobPaths, JobPlan } from "@weft/cwl/model/job-plan.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { DockerRequirement, Requirement } from "@weft/cwl/model/requirement.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { ContainerEngine, ContainerLimits, Image, ImageSource } from "../container/container-engine.ts";
import { viewInContainer, type ContainerView } from "../container/container-view.ts";
import { containerRequests } from "../container/container-requests.ts";
import {
  WITHOUT_CONTAINER,
  type ContainerChoice,
  type Containers,
  type EngineChoice,
} from "../container/containers.ts";
import { imageSource } from "../container/image-source.ts";
import { mayRunAt, type BackendPolicy } from "../executor/backends/choose-backend.ts";
import type { Reach } from "../files/beneath/reach.ts";
import { recordBeginning } from "../journal/record-beginning.ts";
import { identify } from "./job-events.ts";
import type { JobMachine, RunDisk } from "./job-services.ts";
import type { BoundJob } from "./job.ts";
import type { RunLog } from "../journal/run-log.ts";

/** The job's paths in its container. TMPDIR is /tmp, for programs that write there regardless. */
const OWN = "/weft";
const INSIDE: JobPaths = { outdir: `${OWN}/out`, tmpdir: "/tmp", stagedir: `${OWN}/in` };
/** The minimum memory of a container, below which no engine can start one. */
const MIN_RAM_MIB = 64;

/**
 * The container of a job: undefined if it requests and needs none. Rejects with UNSUPPORTED if the requested one is not
 * available.
 */
export async function chooseContainer(
  { backend, requirements }: Pick<BoundJob, "backend" | "requirements">,
  { containers, backends }: JobMachine,
): Promise<ContainerChoice | undefined> {
  return backend === "tes" ? taskContainer(requirements, backends) : containers.choose(requirements);
}

/** The choice for a job that an earlier server started. */
export function containerChosenBefore(
  { requirements }: Pick<BoundJob, "requirements">,
  container: JobContainer | null | undefined,
  { containers }: JobMachine,
): EngineChoice | undefined {
  if (!container || container.engine === "none") return undefined;
  if (container.engine === "tes") return atServer(container.image);
  const requirement = requirements.get("DockerRequirement");
  if (requirement === undefined) return undefined;
  const choice = containers.chosenBefore(container.engine, container.version, requirement);
  return choice.engine === undefined ? undefined : choice;
}

/** Reports before a run starts. If jobs may go to a TES server, the jobs themselves find out. */
export async function reviewContainers(
  process: Process,
  { containers, backends }: JobMachine,
  overrides: readonly Requirement[] = [],
): ReturnType<Containers["review"]> {
  return mayRunAt(backends, "tes") ? { warnings: [] } : containers.review(containerRequests(process, overrides));
}

/** Refuses a run if one of its tools requires a container and none is available; returns warnings about the others. */
export async function refuseUnmetContainers(process: Process, services: JobMachine): Promise<readonly string[]> {
  const { refusal, warnings } = await reviewContainers(process, services);
  if (refusal === undefined) return warnings;
  throw new Refusal("unsupported-feature", `${refusal}.`, {
    errors: [{ code: "no-container-engine", detail: refusal, hint: WITHOUT_CONTAINER }],
  });
}

function taskContainer(requirements: BoundJob["requirements"], { defaultImage }: BackendPolicy): EngineChoice {
  const requirement = requirements.get("DockerRequirement");
  const source = requirement === undefined ? undefined : imageSource(requirement);
  if (source === undefined && defaultImage === undefined)
    throw new CwlFailure("UNSUPPORTED", "the tool names no container image, but every job at a TES server needs one", {
      place: "requirements.DockerRequirement",
      hint: "add a DockerRequirement to the tool, or set default_image in the section `tes` of weft.config.json",
    });
  const from = source?.origin.from ?? "pull";
  if (from !== "pull" && from !== "nowhere")
    throw new CwlFailure("UNSUPPORTED", "a TES server fetches images only from a registry", {
      place: "DockerRequirement",
      hint: "name the image in dockerPull",
    });
  const reference = source?.origin.from === "pull" ? source.origin.reference : source?.name;
  return atServer(reference ?? defaultImage ?? "");
}

function atServer(image: string): EngineChoice {
  const source = { name: image, origin: { from: "pull", reference: image } } as const;
  return { engine: TASK_CONTAINERS, version: TASK_VERSION, source, image };
}

/** The version of the API; the server provides and runs the image itself. */
const TASK_VERSION = "1.1";

/**
 * Containers run by a TES server, which fetches images itself. The command is the job's own, without a wrapper of this
 * machine.
 */
const TASK_CONTAINERS: ContainerEngine = {
  kind: "tes",
  probe: () => Promise.resolve({ works: true, version: TASK_VERSION }),
  findImage: ({ name }) => Promise.resolve({ name, reference: name, digest: null }),
  fetchImage: ({ name }) => Promise.resolve({ name, reference: name, digest: null }),
  command: ({ argv, env }) => ({ argv, env }),
  ownFailure: () => undefined,
  containers: () => Promise.resolve([]),
  remove: () => Promise.resolve(),
};

/** A planned containerized job, still without its image. */
export interface Containment {
  readonly engine: ContainerEngine;
  readonly choice: EngineChoice;
  readonly view: ContainerView;
  readonly limits: ContainerLimits;
  /** The local files that the job's run may read. */
  readonly reach: Reach;
}

/**
 * The job's directories inside its container; undefined: the image was not the tool's own choice. Rejects an invalid
 * output directory.
 */
export function pathsInside(requirement: DockerRequirement | undefined): JobPaths {
  const written = requirement?.dockerOutputDirectory;
  if (written === undefined) return INSIDE;
  const outdir = normalPath(written);
  if (!written.startsWith("/") || outdir === "/" || outdir === OWN || outdir.startsWith(`${OWN}/`)) {
    throw new CwlFailure("INPUT_INVALID", `\`${written}\` cannot be the output directory of a container`, {
      place: "DockerRequirement.dockerOutputDirectory",
      hint: `give an absolute path that is neither / nor below ${OWN}`,
    });
  }
  return { ...INSIDE, outdir, tmpdir: outdir === INSIDE.tmpdir ? `${OWN}/tmp` : INSIDE.tmpdir };
}

/** `outside`: the job's directories on this machine. */
export function containJob(
  job: BoundJob,
  plan: JobPlan,
  { choice, outside, services }: { choice: EngineChoice; outside: JobPaths; services: RunDisk & JobMachine },
): Containment {
  const inside = { ...plan.runtime, stagedir: INSIDE.stagedir };
  const view = viewInContainer(plan.staging, {
    inside,
    outside: { ...outside, elsewhere: join(job.folder, "elsewhere") },
    updatable: plan.inplaceUpdate ? join(services.runsFolder, job.runId) : undefined,
  });
  const limits = containerLimits(job, services.scheduler.capacity.cores);
  return { engine: choice.engine, choice, view, limits, reach: services.reach };
}

/**
 * The limits of a container: what the tool requests. Anything it does not mention is unlimited, and a minimum alone is
 * also the maximum. CWL v1.2 CommandLineTool.html#ResourceRequirement.
 */
export function containerLimits(
  { requirements, resources }: Pick<BoundJob, "requirements" | "resources">,
  machineCores: number,
): ContainerLimits {
  const declared = requirements.get("ResourceRequirement");
  const cores = resources.coresMax ?? (declared?.coresMin === undefined ? undefined : resources.coresMin);
  const ramMib = resources.ramMax ?? (declared?.ramMin === undefined ? undefined : resources.ramMin);
  return {
    cores: cores === undefined ? undefined : Math.min(cores, machineCores),
    ramMib: ramMib === undefined ? undefined : Math.max(ramMib, MIN_RAM_MIB),
  };
}

/** The log's record of a choice; `image` once it is known. */
export function recordChoice(choice: ContainerChoice | undefined, image: Image | undefined): JobContainer | undefined {
  if (choice === undefined) return undefined;
  if (choice.engine === undefined) return { engine: "none", image: choice.image, why: choice.why };
  const { kind } = choice.engine;
  const { digest = null, missed } = image ?? {};
  const record = { engine: kind, version: choice.version, image: choice.image, digest };
  return missed === undefined ? record : { ...record, missed };
}

/**
 * The image of a job. While it is being fetched, the log and the job's page say so. If the job must run in the exact
 * image of an earlier one and that is not available, it gets the image that currently has the name, which then says
 * why. Rejects with a CwlFailure, or when `signal` aborts.
 */
export async function fetchImage(
  job: BoundJob,
  choice: EngineChoice,
  { services, signal }: { readonly services: RunLog & JobMachine; readonly signal: AbortSignal },
): Promise<Image> {
  const onFetch = async () => {
    const { engine, image } = choice;
    const message = `Fetching the container image ${image} (${engine.kind})`;
    const data = { engine: engine.kind, image, reason: { code: "STAGE_IN", message } } as const;
    await recordBeginning([{ type: "job.image", ...identify(job), data }], services.journal, signal);
  };
  const prepare = (source: ImageSource) => services.containers.prepare({ ...choice, source }, { onFetch, signal });
  const digest = job.pinnedImage;
  if (digest === undefined) return prepare(choice.source);
  const found = await prepare({ ...choice.source, digest }).catch(whyMissed);
  if (typeof found !== "string" && found.digest === digest) return found;
  const image = typeof found === "string" ? await prepare(choice.source) : found;
  if (image.digest === digest) return image;
  const why = typeof found === "string" ? found : `${choice.engine.kind} can only fetch an image by name`;
  return { ...image, missed: { digest, why } };
}

/** An engine's error as the reason for using another image; a stopped run has none. */
function whyMissed(error: unknown): string {
  if (error instanceof CwlFailure) return error.message;
  throw error;
}
