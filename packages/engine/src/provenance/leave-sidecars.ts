import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { FileRow } from "../journal/rows.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import type { EndedDocument } from "./leave-crate.ts";
import { SidecarTexts } from "./sidecar-texts.ts";

const ENDING = ".prov.json";

/**
 * Writes beside each output of a run on the command line where it comes from: `a.nii.prov.json` beside `a.nii`, and one beside a
 * folder for all that is in it. One of an earlier run is replaced, an output of that name never. What cannot be written is
 * told, and the run stays what it was.
 */
export async function leaveSidecars(
  { runId, outdir, warn }: EndedDocument,
  { journal, uris, reach }: Pick<RunServices, "journal" | "uris" | "reach">,
): Promise<void> {
  const { read } = journal;
  const run = read.run(runId);
  if (run === undefined) return;
  const texts = new SidecarTexts(run, { read, uris, reach });
  const outputs = read.filesOfRun(runId).filter(({ jobId, direction }) => jobId === null && direction === "output");
  const locations = new Map(outputs.map((file) => [uris.toFile(file.uri), file]));
  for (const [location, file] of topmost(locations, `${pathToFileURL(outdir).href}/`)) {
    const path = `${fileURLToPath(location)}${ENDING}`;
    const why = locations.has(`${location}${ENDING}`)
      ? "an output has that name"
      : await replace(path, await texts.of(file));
    if (why !== undefined) warn?.(`${path} could not be written: ${why}`);
  }
}

/** Outputs in the folder, without what lies in folders among them; each once, though it may stand in several places. */
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

/** Whoever looks sees the one before or all of this. Answers what the disk says against it. */
async function replace(path: string, text: string): Promise<string | undefined> {
  const partial = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(partial, text);
    await rename(partial, path);
    return undefined;
  } catch (error) {
    await rm(partial, { force: true });
    return error instanceof Error ? error.message : String(error);
  }
}
