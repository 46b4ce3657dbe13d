import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Caller } from "../port/caller.ts";
import { Reach } from "../files/beneath/reach.ts";
import { createDiskFiles, type DiskFilesOptions } from "../files/disk-files.ts";
import { filesOf } from "../values/map-files.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { LogReader } from "../journal/log-reader.ts";
import { AllowedRoots } from "./allowed-roots.ts";
import { fixedInRuns, Reaches, type ReachPlaces } from "./reaches.ts";

/** The part of this machine's disk that a caller may read, and the `FileAccess` that the language sees. */
export interface Access {
  readonly reach: Reach;
  readonly files: FileAccess;
}

/** Decides which files a caller or a run may read. */
export interface DiskAccess {
  /** The files that the server may show to every caller. */
  readonly all: Access;
  /** The files that a caller may name in a request. */
  ofCaller(caller: Caller): Access;
  /** The visible files of one run. */
  ofShownRun(runId: string): Reach;
  /** The files that a run may read. `values`: its inputs, with `file:` locations. */
  ofRun(runId: string, values: CwlObject): Access;
}

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
  { places, near, sync = true, ...folders }: ServerFolders,
  read: Pick<LogReader, "run">,
): { readonly roots: AllowedRoots; readonly access: DiskAccess } {
  const roots = new AllowedRoots(folders.roots);
  const reaches = new Reaches(places, (runId) => read.run(runId));
  const over = (reach: Reach) => accessOver({ near, sync, reach });
  const all = over(reaches.all);
  const access: DiskAccess = {
    all,
    ofCaller: (caller) => (reaches.ofCaller(caller) === reaches.all ? all : over(reaches.ofCaller(caller))),
    ofShownRun: (runId) => reaches.ofShownRun(runId),
    ofRun: (runId, values) => over(reaches.ofRun(runId, itemsIn(values, roots.uris))),
  };
  return { roots, access };
}

/** Access for a command, which runs as its user and may read everything that the user may read. */
export function createOpenAccess(disk: { readonly sync: boolean; readonly near: string }): DiskAccess {
  const reach = new Reach({ regions: [{ folder: "/" }, { folder: disk.near, fixed: fixedInRuns }] });
  const access = accessOver({ ...disk, reach });
  return { all: access, ofCaller: () => access, ofShownRun: () => reach, ofRun: () => access };
}

function accessOver(disk: DiskFilesOptions): Access {
  return { reach: disk.reach, files: createDiskFiles(disk) };
}

/** The runs that own the files named in the values, and the uploads among these. */
function itemsIn(values: CwlObject, uris: PortableUris): ReadonlySet<string> {
  const names = filesOf(values).map(
    ({ file }) => /^weft-data:\/\/(?:runs|uploads)\/([^/]+)\//.exec(uris.toPortable(file.location ?? ""))?.[1],
  );
  return new Set(names.filter((name) => name !== undefined));
}
