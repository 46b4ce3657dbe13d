import type { LogReader } from "../journal/log-reader.ts";
import { AllowedRoots } from "./allowed-roots.ts";
import { createServerAccess } from "./disk-access.ts";
import type { DiskAccess } from "./disk-access.ts";
import type { ReachPlaces } from "./reaches.ts";

/** The folders of a server's files, as plain values that can be sent to a thread. */
export interface ServerFolders {
  /** Name of each root → absolute path. */
  readonly roots: Readonly<Record<string, string>>;
  readonly places: ReachPlaces;
  /** See DiskFilesOptions. */
  readonly near: string;
  /** False if written files are not synced. Default: true. */
  readonly sync?: boolean;
}

/** The roots of a server, and the access to their files according to the owners in the log. */
export function openServerFiles(
  folders: ServerFolders,
  read: Pick<LogReader, "run">,
): { readonly roots: AllowedRoots; readonly access: DiskAccess } {
  const { places, near, sync = true } = folders;
  const roots = new AllowedRoots(folders.roots);
  return {
    roots,
    access: createServerAccess({ places, uris: roots.uris, runOf: (runId) => read.run(runId), sync, near }),
  };
}
