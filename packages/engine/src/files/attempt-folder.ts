import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Identifies one attempt of a job within its run; the first attempt is 1. */
export interface Attempt {
  readonly jobId: string;
  readonly attempt: number;
}

/**
 * Absolute path of the folder of one attempt. It is directly below the run's `jobs` folder, because creating folders is
 * the most expensive disk operation of a job.
 */
export function attemptFolder(runsFolder: string, runId: string, attempt: Attempt): string {
  return join(runsFolder, runId, "jobs", attemptName(attempt));
}

/** Name of the folder of an attempt. A job id never contains an `@`. */
function attemptName({ jobId, attempt }: Attempt): string {
  return `${jobId}@${attempt}`;
}

/** Path of an attempt's file below the folder of its run. */
export function attemptPath(attempt: Attempt, within: string): string {
  return `jobs/${attemptName(attempt)}/${within}`;
}

/** The existing attempt folders of a run, or the folder of one attempt, which may not exist. */
export function attemptFoldersOf(
  runsFolder: string,
  { runId, job }: { readonly runId: string; readonly job?: Attempt | undefined },
): readonly string[] {
  if (job !== undefined) return [attemptFolder(runsFolder, runId, job)];
  const folder = join(runsFolder, runId, "jobs");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}
