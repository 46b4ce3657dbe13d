import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { Image, ImageSource } from "../../container/container-engine.ts";
import type { Containers, EngineChoice } from "../../container/containers.ts";
import { recordBeginning } from "../../journal/record-beginning.ts";
import { identify } from "../job-events.ts";
import type { Job } from "../job.ts";
import type { Journal } from "../../journal/journal.ts";

export interface ImageServices {
  readonly journal: Journal;
  readonly containers: Containers;
}

/**
 * The image of a job. While it is being fetched, the log and the job's page say so. If the job must run in the exact
 * image of an earlier one and that is not available, it gets the image that currently has the name, which then says
 * why. Rejects with a CwlFailure, or when `signal` aborts.
 */
export async function fetchImage(
  job: Job,
  choice: EngineChoice,
  { services, signal }: { readonly services: ImageServices; readonly signal: AbortSignal },
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
