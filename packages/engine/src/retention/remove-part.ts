import type { Stats } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { RunPart } from "@weft/shared/records/run-parts.ts";
import { errorWords } from "../error-text.ts";
import type { OpenFolder } from "../files/beneath/open-folder.ts";
import { runLater } from "../files/beneath/steps.ts";
import type { RemovalFailure } from "@weft/shared/events/run-events.ts";
import { partOfEntry, type RunFolder } from "./measure-run.ts";
import { bytesOnDisk, walkTree, type TreeEntry } from "../files/beneath/walk-tree.ts";

export interface Removed {
  readonly bytes: number;
  /** The first few. */
  readonly failures: readonly RemovalFailure[];
}

/** Maximum number of reported failures; a folder of another account has thousands. */
const MAX_LISTED = 10;
const OWNER_MAY_ALL = 0o700;
/** Error codes of an entry that is already gone, or of a folder that is not empty. */
const NO_FAILURE = new Set(["ENOENT", "ENOTEMPTY", "EEXIST"]);

/**
 * Removes one part of a run from the disk; can be repeated after an interruption. Reports what cannot be removed and
 * leaves it. Removes a link, never its target. Opens read-only folders first.
 */
export async function removePart(run: RunFolder, part: RunPart): Promise<Removed> {
  const isMeant = (path: string) => partOfEntry(run, path) === part;
  const removed: Removed[] = [];
  for (const name of FOLDERS[part]) removed.push(await removeTree(join(run.folder, name), run.folder, isMeant));
  return {
    bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0),
    failures: removed.flatMap(({ failures }) => failures).slice(0, MAX_LISTED),
  };
}

/** Paths of a part within the folder of its run. A tool may have named an output as the file of its standard error. */
const FOLDERS: Readonly<Record<RunPart, readonly string[]>> = {
  outputs: ["outputs"],
  intermediate: ["jobs", "inputs"],
  logs: ["jobs"],
};

/**
 * Removes everything at and below a path for which `isMeant` is true, and folders that become empty; reports failures
 * relative to `base`.
 */
export async function removeTree(
  top: string,
  base: string,
  isMeant: (path: string) => boolean = () => true,
): Promise<Removed> {
  let bytes = 0;
  const failures: RemovalFailure[] = [];
  const emptied = new Set<string>();
  const fail = (path: string, error: NodeJS.ErrnoException) => {
    if (failures.length < MAX_LISTED) failures.push({ path: relative(base, path), message: errorWords(error) });
  };
  for await (const entry of walkTree(top, { onFolder: open, onUnreadable: fail })) {
    if (!isMeant(entry.path) && !emptied.delete(entry.path)) continue;
    const failure = await removeEntry(entry);
    if (failure === undefined) {
      bytes += freedBy(entry);
      emptied.add(dirname(entry.path));
    } else if (!NO_FAILURE.has(failure.code ?? "")) fail(entry.path, failure);
  }
  return { bytes, failures };
}

/** Returns the system's error: reports what cannot be removed, and continues. */
async function removeEntry({ folder, name, stats }: TreeEntry): Promise<NodeJS.ErrnoException | undefined> {
  const removing = stats.isDirectory() ? folder.removeEmpty(name) : folder.removeFile(name);
  return runLater(removing).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
}

/** Bytes with another hard link remain. */
function freedBy(entry: TreeEntry): number {
  return entry.stats.isDirectory() || entry.stats.nlink === 1 ? bytesOnDisk(entry) : 0;
}

/** If it cannot be opened, reading or emptying it reports that. */
async function open(folder: OpenFolder, stats: Stats): Promise<void> {
  if ((stats.mode & OWNER_MAY_ALL) === OWNER_MAY_ALL) return;
  await runLater(folder.setMode((stats.mode & 0o777) | OWNER_MAY_ALL)).catch(() => undefined);
}
