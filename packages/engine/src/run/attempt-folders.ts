import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { JobPlace } from "../executor/executor.ts";
import { attemptFolder } from "./prepare-job.ts";

/** The folders of all attempts of a run that are there, or the one of an attempt, which may not be. */
export function attemptFoldersOf(runsFolder: string, { runId, job }: JobPlace): readonly string[] {
  if (job !== undefined) return [attemptFolder({ runsFolder }, runId, job)];
  const folder = join(runsFolder, runId, "jobs");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}
