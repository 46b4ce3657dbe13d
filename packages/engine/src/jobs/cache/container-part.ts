import type { JobContainer } from "@weft/shared/records/job-container.ts";

/** The component of a key: what the programs come from. An engine that tells no digest is believed in the name. */
export function containerPart(container: JobContainer | undefined): string {
  if (container === undefined || container.engine === "none") return "none";
  return container.digest ?? `${container.engine} ${container.image}`;
}
