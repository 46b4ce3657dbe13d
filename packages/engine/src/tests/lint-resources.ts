import { join, resolve } from "node:path";
import type { Diagnostic } from "@weft/cwl/diagnostic.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { ResourceRequirement } from "@weft/cwl/model/requirement.ts";
import { MIN_JOBS, sizeJobs } from "../insight/size-jobs.ts";
import { createLogReader } from "../journal/log-reader.ts";
import { isFolded, openForReading } from "../journal/open-database.ts";
import { StateFolderUnusable } from "../journal/state-folder-unusable.ts";

/** The maximum number of jobs to examine. */
const MAX_JOBS = 1000;
/** Requests of up to twice the actual use are prudent. */
const FACTOR = 2;
const MIB = 1024 * 1024;

/**
 * The requested resources that the recorded jobs of a tool never came close to using. Throws StateFolderUnusable for a
 * log of another version.
 */
export function lintResources(process: Process, stateFolder: string): readonly Diagnostic[] {
  const request = [...process.requirements, ...process.hints].find((one) => one.class === "ResourceRequirement");
  const version = /\/([^/]+)\/[^/]+$/.exec(process.id)?.[1];
  if (request === undefined || version === undefined) return [];
  using db = openForReading(join(resolve(stateFolder), "weft.db"));
  if (!isFolded(db))
    throw new StateFolderUnusable(
      `${stateFolder} was written by another version of Weft; start weft serve once to convert it`,
    );
  const read = createLogReader(db, "reader");
  const { used, jobs } = sizeJobs(read.measuresOfTool(process.name, decodeURIComponent(version), undefined, MAX_JOBS));
  return jobs < MIN_JOBS
    ? []
    : findings(process, request, { ramBytes: used.ram_bytes?.max, cores: used.cores?.max, jobs });
}

interface Used {
  readonly ramBytes: number | undefined;
  readonly cores: number | undefined;
  readonly jobs: number;
}

function findings(
  { position }: Process,
  request: ResourceRequirement,
  { ramBytes, cores, jobs }: Used,
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const add = (message: string, hint: string) =>
    found.push({ severity: "warning", code: "unused-resources", message, hint, ...position });
  const { ramMin, coresMin } = request;
  const ram = ramBytes === undefined ? undefined : Math.ceil(ramBytes / MIB);
  if (typeof ramMin === "number" && ram !== undefined && ramMin > FACTOR * ram)
    add(
      `\`ramMin: ${ramMin}\` was never needed: ${jobs} jobs used at most ${ram} MiB`,
      `request ${FACTOR * ram} MiB at most, so that more jobs run at the same time`,
    );
  const most = cores === undefined ? undefined : Math.ceil(cores);
  if (typeof coresMin === "number" && most !== undefined && coresMin > FACTOR * most)
    add(
      `\`coresMin: ${coresMin}\` was never needed: ${jobs} jobs used at most ${most}`,
      `request ${FACTOR * most} cores at most`,
    );
  return found;
}
