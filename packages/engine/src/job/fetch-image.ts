import type { Image } from "../container/container-engine.ts";
import type { EngineChoice } from "../container/containers.ts";
import { recordBeginning } from "../journal/record-beginning.ts";
import type { RunServices } from "../run/run-services.ts";
import { identify } from "./job-events.ts";
import type { Job } from "./job.ts";

/** The image of a job; while it has to be fetched first, the log says so. Rejects with a CwlFailure, or when `signal` aborts. */
export function fetchImage(
  job: Job,
  choice: EngineChoice,
  { services, signal }: { readonly services: RunServices; readonly signal: AbortSignal },
): Promise<Image> {
  const onFetch = async () => {
    const data = { engine: choice.engine.kind, image: choice.image };
    await recordBeginning([{ type: "job.image", ...identify(job), data }], services.journal, signal);
  };
  return services.containers.prepare(choice, { onFetch, signal });
}
