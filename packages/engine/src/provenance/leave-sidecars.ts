import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createLinks } from "@weft/shared/links.ts";
import type { FileRow } from "../journal/rows.ts";
import type { RunServices } from "../run/run-services.ts";
import { contentAt } from "./content-at.ts";
import type { EndedDocument } from "./leave-crate.ts";
import { NOWHERE } from "./leave-crate.ts";
import { provJson } from "./prov-json.ts";
import { provOfFile } from "./prov-of-file.ts";
import type { WrittenFile } from "./prov-of-file.ts";

const ENDING = ".prov.json";

/**
 * Writes beside each output of a run on the command line where it comes from: `a.nii.prov.json` beside `a.nii`, and one beside a
 * folder for all that is in it. One of an earlier run is replaced, an output of that name never. What cannot be written is
 * told, and the run stays what it was.
 */
export async function leaveSidecars(
  { runId, outdir, warn }: EndedDocument,
  { journal, uris }: Pick<RunServices, "journal" | "uris">,
): Promise<void> {
  const { read } = journal;
  const run = read.run(runId);
  if (run === undefined) return;
  const ofJobs = Map.groupBy(read.filesOfRun(runId), ({ jobId }) => jobId);
  const outputs = ofJobs.get(null)?.filter(({ direction }) => direction === "output") ?? [];
  const writerOf = ({ sourceUri, uri }: FileRow): WrittenFile["writer"] => {
    const job = read.job(runId, read.writerOf(runId, sourceUri ?? uri) ?? "");
    return job === undefined ? undefined : { job, files: ofJobs.get(job.jobId) ?? [] };
  };
  const locations = new Map(outputs.map((file) => [uris.toFile(file.uri), file]));
  for (const [location, file] of topmost(locations, `${pathToFileURL(outdir).href}/`)) {
    const path = `${fileURLToPath(location)}${ENDING}`;
    const writer = await withContents(writerOf(file), uris);
    const prov = provOfFile({ run, output: file, writer }, createLinks(NOWHERE));
    const text = `${JSON.stringify(provJson(prov), null, 2)}\n`;
    const why = locations.has(`${location}${ENDING}`) ? "an output has that name" : await replace(path, text);
    if (why !== undefined) warn?.(`${path} could not be written: ${why}`);
  }
}

/** A run that keeps nothing for later has not hashed what tools bring along; it is there yet. */
async function withContents(writer: WrittenFile["writer"], uris: RunServices["uris"]): Promise<WrittenFile["writer"]> {
  if (writer === undefined) return undefined;
  const files = writer.files.map(async (file): Promise<FileRow> => {
    const location = file.class === "File" ? uris.toFile(file.uri) : undefined;
    // What is gone, or may not be read, is told as it was recorded.
    const content = location && (await contentAt(fileURLToPath(location), file).catch(() => file));
    return { ...file, ...content };
  });
  return { job: writer.job, files: await Promise.all(files) };
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
