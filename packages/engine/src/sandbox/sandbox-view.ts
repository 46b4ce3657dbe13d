import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { StagingEntry } from "@weft/cwl/model/job-plan.ts";
import { isBelow } from "../files/is-below.ts";
import type { SandboxMount, SandboxView } from "./bubblewrap-argv.ts";
import { targetIn, type Area, type SandboxPlaces } from "./sandbox-places.ts";

/** The parts of a job that matter for its sandbox, with absolute paths. */
export interface SandboxedJob {
  readonly outdir: string;
  readonly tmpdir: string;
  /** The folder of its run. */
  readonly runFolder: string;
  readonly staging: readonly StagingEntry[];
  /** The job may change files of its run in place. */
  readonly inplaceUpdate: boolean;
  readonly networkAccess: boolean;
  /** The real path; undefined if the path does not exist. */
  readonly realPath: (path: string) => Promise<string | undefined>;
}

/**
 * The maximum number of mounted inputs, because more mounts would take longer than most jobs. Beyond it, whole folders
 * that contain inputs become visible.
 */
const MAX_INPUTS = 100;

/**
 * The view of a job. Paths are those of this machine, so its command line is the same as without a sandbox. Within the
 * state folder, it sees its inputs and the folder of its run, which is read-only except for the job's own output and
 * temporary folders.
 */
export async function sandboxView(job: SandboxedJob, places: SandboxPlaces): Promise<SandboxView> {
  const { outdir, tmpdir, runFolder } = job;
  const areas = [...places.hidden, ...places.temporary];
  const mount = (path: string, access: SandboxMount["access"]): SandboxMount => ({
    source: path,
    target: targetIn(areas, path) ?? path,
    access,
  });
  const kept = job.networkAccess ? [...places.kept, ...places.keptForNetwork] : places.kept;
  const inputs = await covered(sourcesOf(job), { job, places });
  return {
    hidden: places.hidden.map(({ real }) => real),
    mounts: [
      ...places.temporary.map(({ real }): SandboxMount => ({ source: tmpdir, target: real, access: "write" })),
      ...kept.filter((path) => isWithin(areas, path)).map((path) => mount(path, "read")),
      ...inputs.map((path) => mount(path, "read")),
      mount(runFolder, "read"),
      ...updatedBy(job).map((path) => mount(path, "write")),
      mount(outdir, "write"),
      mount(tmpdir, "write"),
    ],
    devices: places.devices,
    workdir: outdir,
    networkAccess: job.networkAccess,
  };
}

/** True for a folder inside of an area, but not for a whole area, which would expose the files of all users. */
function isWithin(areas: readonly Area[], path: string): boolean {
  const target = targetIn(areas, path);
  return target !== undefined && areas.every(({ real }) => real !== target);
}

function sourcesOf({ staging, runFolder }: SandboxedJob): readonly string[] {
  const paths = staging.flatMap((entry) => (entry.kind === "link" ? [fileURLToPath(entry.source)] : []));
  return [...new Set(paths)].filter((path) => !isBelow(path, runFolder));
}

/** Inputs that would be hidden, by their own path or by the target of their links. */
async function covered(
  sources: readonly string[],
  { job, places }: { readonly job: SandboxedJob; readonly places: SandboxPlaces },
): Promise<readonly string[]> {
  const areas = [...places.hidden, ...places.temporary];
  const paths = new Set<string>();
  for (const source of sources) {
    if (targetIn(areas, source) !== undefined) paths.add(source);
    const real = await job.realPath(source);
    if (real !== undefined && real !== source && targetIn(areas, real) !== undefined) paths.add(real);
  }
  return paths.size <= MAX_INPUTS ? [...paths] : [...new Set([...paths].map((path) => around(path, places)))];
}

/** The smallest folder that contains many inputs, if the job may see one as a whole. */
function around(path: string, { hidden, temporary, runsFolder, stores }: SandboxPlaces): string {
  if (isBelow(path, runsFolder)) return join(runsFolder, relative(runsFolder, path).split(sep)[0] ?? "");
  const store = stores.find((folder) => isBelow(path, folder));
  if (store !== undefined) return store;
  const folder = dirname(path);
  return [...hidden, ...temporary].some(({ given, real }) => folder === given || folder === real) ? path : folder;
}

/** The files that it may change in place: see stageFiles. */
function updatedBy({ inplaceUpdate, staging, runFolder }: SandboxedJob): readonly string[] {
  if (!inplaceUpdate) return [];
  return staging
    .flatMap((entry) => (entry.kind === "copy" ? [fileURLToPath(entry.source)] : []))
    .filter((path) => isBelow(path, runFolder));
}
