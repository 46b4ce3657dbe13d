import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { FileRow } from "../journal/rows.ts";
import type { EndedDocument } from "./write-crate.ts";
import { SIDECAR_ENDING, SidecarTexts } from "./sidecar-texts.ts";
import { errorText } from "../error-text.ts";
import type { RunDisk } from "../jobs/job-services.ts";
import type { RunLog } from "../journal/run-log.ts";

/**
 * Writes provenance next to each output of a run on the command line: `a.nii.prov.json` next to `a.nii`, and one file
 * next to a folder for its whole content. Replaces the file of an earlier run, but never an output of that name. A
 * failure is reported and does not change the run.
 */
export async function writeSidecars(
  { runId, outdir, warn }: EndedDocument,
  { journal, uris, reach }: RunLog & RunDisk,
): Promise<void> {
  const { read } = journal;
  const run = read.run(runId);
  if (run === undefined) return;
  const texts = new SidecarTexts(run, { read, uris, reach });
  const outputs = read.filesOfRun(runId).filter(({ jobId, direction }) => jobId === null && direction === "output");
  const locations = new Map(outputs.map((file) => [uris.toFile(file.uri), file]));
  for (const [location, file] of topmost(locations, `${pathToUri(outdir)}/`)) {
    const path = `${fileURLToPath(location)}${SIDECAR_ENDING}`;
    const why = locations.has(`${location}${SIDECAR_ENDING}`)
      ? "an output already has that name"
      : await replace(path, await texts.of(file));
    if (why !== undefined) warn?.(`${path} could not be written: ${why}`);
  }
}

/** Outputs in the folder, without the content of nested folders; each once, even if it occurs several times. */
function* topmost(
  locations: ReadonlyMap<string | undefined, FileRow>,
  folder: string,
): Generator<readonly [string, FileRow]> {
  const isOutputFolder = (location: string) => locations.get(location)?.class === "Directory";
  for (const [location, file] of locations)
    if (location?.startsWith(folder) === true && !foldersAbove(location, folder).some(isOutputFolder))
      yield [location, file];
}

function foldersAbove(location: string, top: string): readonly string[] {
  const names = location.slice(top.length).split("/").slice(0, -1);
  return names.map((_, depth) => top + names.slice(0, depth + 1).join("/"));
}

/** Readers see either the old or the complete new content. Returns the disk's error. */
async function replace(path: string, text: string): Promise<string | undefined> {
  const partial = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(partial, text);
    await rename(partial, path);
    return undefined;
  } catch (error) {
    await rm(partial, { force: true });
    return errorText(error);
  }
}
