import type { Stats } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { RunPart } from "@weft/shared/records/run-parts.ts";
import type { OpenFolder } from "../files/beneath/open-folder.ts";
import { runLater } from "../files/beneath/steps.ts";
import type { RemovalFailure } from "@weft/shared/events/run-events.ts";
import { partOfEntry } from "./measure-run.ts";
import type { RunFolder } from "./measure-run.ts";
import { bytesOnDisk, walkTree } from "./walk-tree.ts";
import type { TreeEntry } from "./walk-tree.ts";

export interface Removed {
  readonly bytes: number;
  /** The first few. */
  readonly failures: readonly RemovalFailure[];
}

/** How many failures are told; a folder of another account has thousands. */
const TOLD = 10;
const OWNER_MAY_ALL = 0o700;
/** Gone already, or a folder in which something stays. */
const NO_FAILURE = new Set(["ENOENT", "ENOTEMPTY", "EEXIST"]);

/**
 * Removes one part of a run from the disk; may be done again after it was interrupted. What cannot be removed stays and is
 * told. A link is removed, never what it leads to. Folders that a tool has left read-only are opened first.
 */
export async function removePart(run: RunFolder, part: RunPart): Promise<Removed> {
  const isMeant = (path: string) => partOfEntry(run, path) === part;
  if (part !== "intermediate")
    return removeTree(join(run.folder, part === "outputs" ? "outputs" : "jobs"), run.folder, isMeant);
  const jobs = await removeTree(join(run.folder, "jobs"), run.folder, isMeant);
  const inputs = await removeTree(join(run.folder, "inputs"), run.folder, isMeant);
  return { bytes: jobs.bytes + inputs.bytes, failures: [...jobs.failures, ...inputs.failures].slice(0, TOLD) };
}

/** Removes what `isMeant` of all that is at and below a path, and folders that get empty; failures are told relative to `base`. */
export async function removeTree(
  top: string,
  base: string,
  isMeant: (path: string) => boolean = () => true,
): Promise<Removed> {
  let bytes = 0;
  const failures: RemovalFailure[] = [];
  const emptied = new Set<string>();
  const fail = (path: string, { code, message }: NodeJS.ErrnoException) => {
    if (failures.length < TOLD) failures.push({ path: relative(base, path), message: code ?? message });
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

/** Answers the system's error: what cannot be removed is told, and the rest goes on. */
async function removeEntry({ folder, name, stats }: TreeEntry): Promise<NodeJS.ErrnoException | undefined> {
  const removing = stats.isDirectory() ? folder.removeEmpty(name) : folder.removeFile(name);
  return runLater(removing).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
}

/** Bytes that another name still stands for stay. */
function freedBy(entry: TreeEntry): number {
  return entry.stats.isDirectory() || entry.stats.nlink === 1 ? bytesOnDisk(entry) : 0;
}

/** What cannot be opened is told when it cannot be read or emptied. */
async function open(folder: OpenFolder, stats: Stats): Promise<void> {
  if ((stats.mode & OWNER_MAY_ALL) === OWNER_MAY_ALL) return;
  await runLater(folder.setMode((stats.mode & 0o777) | OWNER_MAY_ALL)).catch(() => undefined);
}
