import { fileURLToPath } from "node:url";
import { runLater } from "../files/beneath/steps.ts";
import { crateOfRun } from "./crate-of-run.ts";
import { constants } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { Crate } from "./crate/build-crate.ts";
import type { CratePart } from "./crate/crate-files.ts";
import { errorText } from "../error-text.ts";
import type { RunDisk } from "../jobs/job-services.ts";
import type { RunLog } from "../journal/run-log.ts";

export interface DocumentProvenance {
  /** The packed document to run, as JSON text. */
  readonly document: string;
  /** Absolute path of the folder for a crate; absent: none is written. */
  readonly folder?: string | undefined;
  /** True to write provenance next to each output (see write-sidecars.ts). */
  readonly sidecars: boolean;
}

export interface EndedDocument {
  readonly runId: string;
  /** Absolute path of the folder of its outputs. */
  readonly outdir: string;
  readonly warn?: (message: string) => void;
}

/** Writes the crate of a run on the command line. A failure is reported and does not change the run. */
export async function writeCrate(
  { runId, outdir, warn }: EndedDocument,
  folder: string,
  { journal, uris, runsFolder, access, reach }: RunLog & RunDisk,
): Promise<void> {
  const run = journal.read.run(runId);
  if (run === undefined) return;
  try {
    const crate = await crateOfRun(run, {
      read: journal.read,
      uris,
      runsFolder,
      outputsUri: `${pathToUri(outdir)}/`,
      resolve: async (uri) => (uri.startsWith("file:") ? runLater(reach.realPath(fileURLToPath(uri))) : undefined),
      access,
      reach,
    });
    await writeCrateFolder(crate, folder);
  } catch (error) {
    warn?.(`the provenance could not be written to ${folder}: ${errorText(error)}`);
  }
}

/**
 * Writes a crate into a folder, which is created if needed. The metadata come last: without them, it is not a crate.
 */
async function writeCrateFolder({ parts }: Crate, folder: string): Promise<void> {
  const [metadata, ...others] = parts;
  for (const part of metadata === undefined ? [] : [...others, metadata]) {
    const path = join(folder, part.name);
    await mkdir(part.kind === "folder" ? path : dirname(path), { recursive: true });
    if (part.kind === "folder") continue;
    if (part.kind === "text") await writeFile(path, part.text);
    else await copyOpen(part, path);
  }
}

async function copyOpen({ open }: Extract<CratePart, { readonly kind: "file" }>, path: string): Promise<void> {
  using file = await open();
  await copyFile(file.descriptorPath, path, constants.COPYFILE_FICLONE);
}
