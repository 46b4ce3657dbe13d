import { MAX_RUN_SAMPLES } from "@weft/shared/records/run-parts.ts";

/** Number of samples of a run; undefined if its record has only the first ones. */
export function sampleTotal({ samples }: { readonly samples: readonly string[] }): number | undefined {
  return samples.length < MAX_RUN_SAMPLES ? samples.length : undefined;
}
