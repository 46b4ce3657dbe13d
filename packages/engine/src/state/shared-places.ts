import { randomUUID } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  symlinkSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { StateFolderUnusable } from "../journal/state-folder-unusable.ts";

/** What jobs read and write: nodes of a cluster must see these under the same path. */
const SHARED = ["runs", "uploads", "downloads"] as const;

/**
 * Puts what jobs read and write into a folder that other machines see too, and leaves the log where it can be locked and synced.
 * The state folder holds links to them, so that it is still whole for whoever reads, copies or checks it. Each state
 * folder has a place of its own in `shared`. Throws StateFolderUnusable where something lies in the way.
 */
export function sharePlaces(root: string, shared: string): void {
  const missing = SHARED.filter((name) => !isLink(join(root, name)));
  if (missing.length === 0) return;
  const place = placeOf(root) ?? join(resolve(shared), `weft-${randomUUID().slice(0, 8)}`);
  try {
    for (const name of missing) sharePlace(join(root, name), join(place, name));
  } catch (error) {
    if (error instanceof StateFolderUnusable) throw error;
    throw new StateFolderUnusable(`the shared folder ${shared} cannot be used: ${String(error)}`, { cause: error });
  }
}

function sharePlace(local: string, target: string): void {
  if (existsSync(local)) {
    if (readdirSync(local).length > 0)
      throw new StateFolderUnusable(
        `${local} holds files of runs that nodes do not see. Stop the server, move it to ${target} and put a link there, or begin with another --state.`,
      );
    rmdirSync(local);
  }
  mkdirSync(target, { recursive: true, mode: 0o700 });
  // A link that is there is whole: a crash leaves it under its first name.
  const fresh = `${local}.${randomUUID().slice(0, 8)}`;
  symlinkSync(target, fresh);
  renameSync(fresh, local);
}

/** Where an earlier start, which did not come to its end, has put the others. */
function placeOf(root: string): string | undefined {
  const linked = SHARED.find((name) => isLink(join(root, name)));
  return linked === undefined ? undefined : resolve(realpathSync(join(root, linked)), "..");
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
