import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { StagingEntry } from "@weft/cwl/model/job-plan.ts";
import { isBelow } from "../files/is-below.ts";
import type { SandboxMount, SandboxStreams, SandboxView } from "./bubblewrap-argv.ts";
import { targetIn } from "./sandbox-places.ts";
import type { Area, SandboxPlaces } from "./sandbox-places.ts";

/** One job, as far as its sandbox is concerned; absolute paths. */
export interface SandboxedJob {
  readonly outdir: string;
  readonly tmpdir: string;
  /** The folder of its run. */
  readonly runFolder: string;
  readonly staging: readonly StagingEntry[];
  /** It may change files of its run where they lie. */
  readonly inplaceUpdate: boolean;
  readonly networkAccess: boolean;
  readonly streams: SandboxStreams;
  /** The real path of what lies there; undefined where nothing does. */
  readonly realPath: (path: string) => Promise<string | undefined>;
}

/** More mounts than this would take longer than most jobs: then the folders in which inputs lie are seen as a whole. */
const MOST_INPUTS = 100;

/**
 * What a job is to see. Paths are those of this machine, so its command line is the same as without a sandbox. Of the
 * state folder that is the folder of its run, read-only but for its own output and temporary folders, and its inputs.
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
    streams: job.streams,
  };
}

/** Not for an area itself: everything of everybody would be seen again. */
function isWithin(areas: readonly Area[], path: string): boolean {
  const target = targetIn(areas, path);
  return target !== undefined && areas.every(({ real }) => real !== target);
}

function sourcesOf({ staging, runFolder }: SandboxedJob): readonly string[] {
  const paths = staging.flatMap((entry) => (entry.kind === "link" ? [fileURLToPath(entry.source)] : []));
  return [...new Set(paths)].filter((path) => !isBelow(path, runFolder));
}

/** Those that would not be seen, by their own path or by the one that their links lead to. */
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
  return paths.size <= MOST_INPUTS ? [...paths] : [...new Set([...paths].map((path) => around(path, places)))];
}

/** The smallest folder that holds many inputs, if there is one that a job may see as a whole. */
function around(path: string, { hidden, temporary, runsFolder, stores }: SandboxPlaces): string {
  if (isBelow(path, runsFolder)) return join(runsFolder, relative(runsFolder, path).split(sep)[0] ?? "");
  const store = stores.find((folder) => isBelow(path, folder));
  if (store !== undefined) return store;
  const folder = dirname(path);
  return [...hidden, ...temporary].some(({ given, real }) => folder === given || folder === real) ? path : folder;
}

/** What it may change in place: see stageFiles. */
function updatedBy({ inplaceUpdate, staging, runFolder }: SandboxedJob): readonly string[] {
  if (!inplaceUpdate) return [];
  return staging
    .flatMap((entry) => (entry.kind === "copy" ? [fileURLToPath(entry.source)] : []))
    .filter((path) => isBelow(path, runFolder));
}
