import { join } from "node:path";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { JobPaths, JobPlan } from "@weft/cwl/model/job-plan.ts";
import { normalPath } from "@weft/cwl/model/job-path.ts";
import type { DockerRequirement } from "@weft/cwl/model/requirement.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { Reach } from "../../files/beneath/reach.ts";
import type { Job } from "../job.ts";
import type { ContainerEngine, ContainerLimits, Image } from "../../container/container-engine.ts";
import type { ContainerView } from "../../container/container-view.ts";
import { viewInContainer } from "../../container/container-view.ts";
import type { ContainerChoice, EngineChoice } from "../../container/containers.ts";
import type { Scheduler } from "../../schedule/scheduler.ts";

/** The job's paths in its container. TMPDIR is /tmp, for programs that write there regardless. */
const OWN = "/weft";
const INSIDE: JobPaths = { outdir: `${OWN}/out`, tmpdir: "/tmp", stagedir: `${OWN}/in` };
/** No engine can start a container with less. */
const MIN_RAM_MIB = 64;

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

export interface ContainmentServices {
  readonly runsFolder: string;
  readonly scheduler: Scheduler;
  readonly reach: Reach;
}

/** `outside`: the job's directories on this machine. */
export function containJob(
  job: Job,
  plan: JobPlan,
  { choice, outside, services }: { choice: EngineChoice; outside: JobPaths; services: ContainmentServices },
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
  { requirements, resources }: Pick<Job, "requirements" | "resources">,
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

/** What the log keeps about a choice; `image` once it is known. */
export function recordChoice(choice: ContainerChoice | undefined, image: Image | undefined): JobContainer | undefined {
  if (choice === undefined) return undefined;
  if (choice.engine === undefined) return { engine: "none", image: choice.image, why: choice.why };
  const { kind } = choice.engine;
  const { digest = null, missed } = image ?? {};
  const record = { engine: kind, version: choice.version, image: choice.image, digest };
  return missed === undefined ? record : { ...record, missed };
}
