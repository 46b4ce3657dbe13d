import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import { mayRunAt } from "../../executor/choose-backend.ts";
import type { BackendPolicy } from "../../executor/choose-backend.ts";
import type { Job } from "../job.ts";
import type { ContainerChoice, Containers, EngineChoice } from "../../container/containers.ts";
import type { ContainerWish } from "../../container/container-wishes.ts";
import { imageSource } from "../../container/image-source.ts";
import type { ContainerEngine } from "../../container/container-engine.ts";

/** What determines the container of a job. */
export interface ContainerServices {
  readonly containers: Containers;
  readonly backends: BackendPolicy;
}

/**
 * The container of a job: undefined if it requests and needs none. Rejects with UNSUPPORTED if the requested one is not
 * available.
 */
export async function chooseContainer(
  { backend, requirements }: Pick<Job, "backend" | "requirements">,
  { containers, backends }: ContainerServices,
): Promise<ContainerChoice | undefined> {
  return backend === "tes" ? taskContainer(requirements, backends) : containers.choose(requirements);
}

/** The choice for a job that an earlier server started. */
export function containerChosenBefore(
  { requirements }: Pick<Job, "requirements">,
  container: JobContainer | null | undefined,
  { containers }: Pick<ContainerServices, "containers">,
): EngineChoice | undefined {
  if (!container || container.engine === "none") return undefined;
  if (container.engine === "tes") return atServer(container.image);
  const requirement = requirements.get("DockerRequirement");
  if (requirement === undefined) return undefined;
  const choice = containers.chosenBefore(container.engine, container.version, requirement);
  return choice.engine === undefined ? undefined : choice;
}

/** What to report before a run starts. If jobs may go to a TES server, the jobs themselves find out. */
export function reviewContainers(
  wishes: readonly ContainerWish[],
  { containers, backends }: ContainerServices,
): ReturnType<Containers["review"]> {
  return mayRunAt(backends, "tes") ? Promise.resolve({ warnings: [] }) : containers.review(wishes);
}

function taskContainer(requirements: Job["requirements"], { defaultImage }: BackendPolicy): EngineChoice {
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
