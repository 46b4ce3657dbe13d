import type { JobContainer } from "@weft/shared/records/job-container.ts";

/**
 * The part of a key that identifies the origin of the programs. If an engine reports no digest, the image's name has to
 * do.
 */
export function containerPart(container: JobContainer | undefined): string {
  if (container === undefined || container.engine === "none") return "none";
  return container.digest ?? `${container.engine} ${container.image}`;
}
