import { join } from "node:path";
import { DESCRIPTION } from "@weft/shared/dataset/dataset-source.ts";
import type { OpenFolder } from "../../files/beneath/open-folder.ts";
import { OutOfReach } from "../../files/beneath/out-of-reach.ts";
import { makeFolders, type Reach } from "../../files/beneath/reach.ts";
import { readSmallText } from "../../files/beneath/read-small-text.ts";
import { runLater } from "../../files/beneath/steps.ts";
import { undefinedIfMissing } from "../../files/beneath/undefined-if-missing.ts";
import type { PlacingOptions } from "../place-files.ts";
import { leadsOut, openSink, type PlacingFault, type SinkFolders } from "./sink-folders.ts";
import { readDerivativeDescription } from "./dataset-texts.ts";

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
  sinks: SinkFolders,
): Promise<FoundDataset | PlacingFault> {
  const shown = `bids://${[root, ...dataset].join("/")}`;
  const opened = await openSink(root, shown, sinks);
  if ("message" in opened) return opened;
  const { sink } = opened;
  const path = join(opened.path, ...dataset);
  const hint = "choose a new folder, or that of a derivative dataset";
  try {
    const names = await namesIn(sink, path);
    if (names.length === 0) return { path, sink, names, description: undefined };
    if (!names.includes(DESCRIPTION)) return { message: `${shown} has files, but is not a BIDS dataset`, hint };
    const text = await runLater(readSmallText(sink, join(path, DESCRIPTION)));
    const read = text === undefined ? `has a ${DESCRIPTION} that cannot be read` : readDerivativeDescription(text);
    return typeof read === "string" ? { message: `${shown} ${read}`, hint } : { path, sink, names, description: read };
  } catch (error) {
    if (error instanceof OutOfReach) return leadsOut(shown, opened.folder);
    throw error;
  }
}

async function namesIn(sink: Reach, path: string): Promise<readonly string[]> {
  const opened = await runLater(sink.openFolder(path)).catch(undefinedIfMissing);
  if (opened === undefined) return [];
  using folder = opened;
  return (await runLater(folder.entries())).map(({ name }) => name).filter((name) => !name.startsWith("."));
}

export type WritingOptions = Pick<PlacingOptions, "runId" | "sinks" | "sync">;

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
