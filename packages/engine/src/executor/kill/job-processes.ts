import { textOf } from "../process-files.ts";
import { readdirSync } from "node:fs";
import type { JobSelector } from "../executor.ts";
import { jobNameIn, markerTextOf } from "../job-marker.ts";
import { isStampOf, parseStamp } from "./job-stamp.ts";

/** A live process of a run. */
export interface FoundProcess {
  readonly pid: number;
  /** `jobId/attempt`; undefined if its environment does not name a job. */
  readonly job: string | undefined;
  readonly stamp?: bigint | undefined;
}

/**
 * Searches all processes for those of a run or an attempt: by the variable in their environment, and by the stamp,
 * which survives a cleared environment. `proc`: path of the proc file system.
 */
export function jobProcesses(place: JobSelector, proc = "/proc"): readonly FoundProcess[] {
  return readdirSync(proc)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => lookAt(`${proc}/${name}`, Number(name), place) ?? []);
}

function lookAt(folder: string, pid: number, place: JobSelector): FoundProcess | undefined {
  const environment = `\0${textOf(`${folder}/environ`)}\0`;
  const job = jobNameIn(environment, place.runId);
  if (environment.includes(`\0${markerTextOf(place)}\0`)) return { pid, job };
  // The environment names another job of the run.
  if (job !== undefined) return undefined;
  const stamp = parseStamp(textOf(`${folder}/limits`));
  if (stamp === undefined || !isStampOf(stamp, place)) return undefined;
  // A zombie keeps its limits until its parent waits for it.
  return hasEnded(textOf(`${folder}/stat`)) ? undefined : { pid, job, stamp };
}

function hasEnded(stat: string): boolean {
  return stat === "" || /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
}
