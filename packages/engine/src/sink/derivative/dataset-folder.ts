import { join } from "node:path";
import { DESCRIPTION } from "@weft/shared/dataset/dataset-source.ts";
import type { OpenFolder } from "../../files/beneath/open-folder.ts";
import { OutOfReach } from "../../files/beneath/out-of-reach.ts";
import { makeFolders, Reach } from "../../files/beneath/reach.ts";
import { readSmallText } from "../../files/beneath/read-small-text.ts";
import { runLater } from "../../files/beneath/steps.ts";
import { undefinedIfMissing } from "../../files/beneath/undefined-if-missing.ts";
import type { PlacingFault } from "../place-files.ts";
import type { SinkFolders } from "../sink-folders.ts";
import { readDerivativeDescription } from "./dataset-description.ts";

/** The folder of a dataset: a root, and names of folders below it. */
export interface DatasetPlace {
  readonly root: string;
  readonly dataset: readonly string[];
}

export interface FoundDataset {
  /** The real path of the dataset's folder, which may not exist yet. */
  readonly path: string;
  readonly sink: Reach;
  /** The description of the dataset; undefined for a new or empty folder. */
  readonly description: Readonly<Record<string, unknown>> | undefined;
  /** Names of the entries that are not hidden. */
  readonly names: readonly string[];
}

/**
 * Finds a dataset for derivatives: a new or empty folder, or a derivative dataset. Returns the reason if the folder is
 * neither.
 */
export async function findDataset(
  { root, dataset }: DatasetPlace,
  { folders }: SinkFolders,
): Promise<FoundDataset | PlacingFault> {
  const folder = folders[root];
  const sink = new Reach({ regions: folder === undefined ? [] : [{ folder }] });
  const shown = `bids://${[root, ...dataset].join("/")}`;
  const real = folder === undefined ? undefined : await runLater(sink.realPath(folder));
  if (real === undefined)
    return {
      message: `${shown} is not in a folder that this server may write to`,
      hint: `start the server with --sink ${root}=DIR`,
    };
  const path = join(real, ...dataset);
  const hint = "choose a new folder, or that of a derivative dataset";
  try {
    const names = await namesIn(sink, path);
    if (names.length === 0) return { path, sink, names, description: undefined };
    if (!names.includes(DESCRIPTION)) return { message: `${shown} has files, but is not a BIDS dataset`, hint };
    const text = await runLater(readSmallText(sink, join(path, DESCRIPTION)));
    const read = text === undefined ? `has a ${DESCRIPTION} that cannot be read` : readDerivativeDescription(text);
    return typeof read === "string" ? { message: `${shown} ${read}`, hint } : { path, sink, names, description: read };
  } catch (error) {
    if (error instanceof OutOfReach)
      return { message: `${shown} leads out of its folder through a link`, hint: `remove the link below ${folder}` };
    throw error;
  }
}

async function namesIn(sink: Reach, path: string): Promise<readonly string[]> {
  const opened = await runLater(sink.openFolder(path)).catch(undefinedIfMissing);
  if (opened === undefined) return [];
  using folder = opened;
  return (await runLater(folder.entries())).map(({ name }) => name).filter((name) => !name.startsWith("."));
}

export interface WritingOptions {
  readonly runId: string;
  readonly sinks: SinkFolders;
  readonly sync: boolean;
}

/** Replaces files of a dataset atomically: readers see the old or the new file, even after a crash. */
export async function replaceTexts(
  { path, sink }: Pick<FoundDataset, "path" | "sink">,
  texts: Readonly<Record<string, string>>,
  { runId, sinks, sync }: WritingOptions,
): Promise<void> {
  const replacements = Object.entries(texts);
  if (replacements.length === 0) return;
  using folder = await makeFolders(path, sink, sinks.umask);
  const partial = `.weft-${runId}.part`;
  try {
    for (const [name, text] of replacements) await replaceText(folder, { name, text, partial }, { sinks, sync });
  } finally {
    await runLater(folder.removeFile(partial));
  }
  if (sync) await runLater(folder.sync());
}

async function replaceText(
  folder: OpenFolder,
  { name, text, partial }: { readonly name: string; readonly text: string; readonly partial: string },
  { sinks, sync }: Pick<WritingOptions, "sinks" | "sync">,
): Promise<void> {
  await runLater(folder.removeFile(partial));
  {
    using made = await runLater(folder.create(partial));
    made.write(text);
    await runLater(made.setMode(0o666 & ~sinks.umask));
    if (sync) await runLater(made.sync());
  }
  await runLater(folder.rename(partial, name));
}
