import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { CwlObject, FileOrDirectory } from "@weft/cwl/model/cwl-value.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Caller } from "../port/caller.ts";
import type { RouteMethods, ServableArchive } from "../port/route-methods.ts";
import { isBelow } from "../files/is-below.ts";
import { runLater } from "../files/beneath/steps.ts";
import type { Reach } from "../files/beneath/reach.ts";
import { filesOf, mapObjectFiles } from "../values/map-files.ts";
import { restoreValues } from "../values/record-values.ts";
import { requireVisibleRun } from "../access/visible-runs.ts";
import { checksumLine, jsonEntry, textEntry, zipArchive, type ArchiveEntry } from "../archive/zip-archive.ts";
import type { RunDisk } from "../jobs/job-services.ts";
import type { RunLog } from "../journal/run-log.ts";

/** Folder of the outputs in the archive, so that their names cannot collide with the other files. */
const FOLDER = "outputs";

interface ArchivedOutput {
  /** Absolute; undefined for a folder. */
  readonly path: string | undefined;
  /** Name in the archive. */
  readonly name: string;
  readonly checksum: string | undefined;
}

export function archiveMethods(services: RunLog & RunDisk): RouteMethods {
  return {
    "GET /api/runs/{run_id}/outputs.zip": ({ caller, params }) => outputsArchive(caller, params.run_id, services),
  };
}

/**
 * All outputs of a run as one zip: files and folders below `outputs/` under their published names, the output object
 * with locations relative to itself, and `SHA1SUMS` for `sha1sum -c`. Refuses `file-not-found` if the run has no
 * outputs, or one of them no longer exists.
 */
async function outputsArchive(caller: Caller, runId: string, services: RunLog & RunDisk): Promise<ServableArchive> {
  const { read } = services.journal;
  const row = requireVisibleRun(read, runId, caller);
  if (row.outputs === null) throw new Refusal("file-not-found", "The run has no outputs yet.");
  const outputs = restoreValues(read.blob(row.outputs), services.uris);
  const folder = join(services.runsFolder, runId, FOLDER);
  const reach = services.access.ofShownRun(runId);
  const archived = await findOutputs(outputs, folder, reach);
  const entries = [...archived.values()].map((output) => toEntry(output, reach));
  const object = mapObjectFiles(outputs, (file) => ({ ...file, location: locationIn(archived, file) }));
  const texts = [jsonEntry("outputs.json", object), textEntry("SHA1SUMS", [...archived.values()].map(sumOf).join(""))];
  const madeAt = new Date(row.endedMs ?? row.updatedMs);
  return { name: `outputs-${runId}.zip`, open: () => zipArchive([...texts, ...entries], madeAt) };
}

/** Finds the outputs by location, because two outputs may be the same file. */
async function findOutputs(outputs: CwlObject, folder: string, reach: Reach): Promise<Map<string, ArchivedOutput>> {
  const found = new Map<string, ArchivedOutput>();
  for (const { file } of filesOf(outputs)) {
    if (file.location === undefined || found.has(file.location)) continue;
    const path = fileURLToPath(file.location);
    const real = await runLater(reach.realPath(path));
    if (real === undefined || !isBelow(real, folder))
      throw new Refusal("file-not-found", `The output "${file.basename}" no longer exists in the folder of the run.`);
    const name = `${FOLDER}/${relative(folder, path)}`;
    if (file.class === "File") found.set(file.location, { path, name, checksum: file.checksum });
    else found.set(file.location, { path: undefined, name, checksum: undefined });
  }
  return found;
}

function toEntry({ path, name }: ArchivedOutput, reach: Reach): ArchiveEntry {
  if (path === undefined) return { kind: "folder", name };
  return { kind: "file", name, open: () => runLater(reach.openFile(path)) };
}

function sumOf({ path, name, checksum }: ArchivedOutput): string {
  return path === undefined || checksum === undefined ? "" : checksumLine(checksum, name);
}

function locationIn(archived: ReadonlyMap<string, ArchivedOutput>, { location = "" }: FileOrDirectory): string {
  const name = archived.get(location)?.name ?? "";
  return name.split("/").map(encodeURIComponent).join("/");
}
