import type { Stats } from "node:fs";
import { fileURLToPath } from "node:url";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { fileUriProblem, pathToUri, relativeUri } from "@weft/cwl/values/file-uri.ts";
import { decodeUtf8 } from "@weft/cwl/values/decode-utf8.ts";
import type { FileAccess, FileStat, FolderEntry } from "@weft/cwl/files/file-access.ts";
import type { OpenFile } from "./beneath/open-file.ts";
import { OutOfReach } from "./beneath/out-of-reach.ts";
import type { FoundEntry, Reach } from "./beneath/reach.ts";
import { runLater, runNow, type Steps } from "./beneath/steps.ts";
import { hashOpenFile } from "./hash-file.ts";
import { isBelow } from "./is-below.ts";

export interface DiskFilesOptions {
  /** The readable files; others are refused with a CwlFailure. */
  readonly reach: Reach;
  /** Syncs a file to disk before returning its checksum. */
  readonly sync: boolean;
  /**
   * The folder where jobs work, on a local disk. There a call takes microseconds, a tenth of the cost of using a thread, so
   * it blocks. Elsewhere a network file system may be slow, and a server must not block.
   */
  readonly near: string;
}

/** The language's view of the readable part of the local disk. */
export function createDiskFiles({ reach, sync, near }: DiskFilesOptions): FileAccess {
  const isNear = (path: string) => isBelow(path, near);
  const run = async <Result>(path: string, steps: Steps<Result>) =>
    isNear(path) ? runNearSteps(steps) : runLater(steps);
  const withFile = async <Result>(uri: string, use: (file: OpenFile, path: string) => Promise<Result>) => {
    const path = pathOf(uri);
    using file = await run(path, reach.openFile(path));
    return await use(file, path);
  };
  return {
    stat: async (uri) => {
      const path = pathOf(uri);
      const stats = await run(path, reach.stat(path));
      return stats === undefined ? undefined : toFileStat(stats);
    },
    list: async (uri) => {
      const path = pathOf(uri);
      // A link out of reach is a failure only if it is an output of the job.
      const entries = await run(path, reach.list(path, { keepsUnreachable: isNear(path) }));
      return inOrder(entries, uri.endsWith("/") ? uri : `${uri}/`);
    },
    readText: (uri, maxBytes) =>
      withFile(uri, async (file, path) => {
        const bytes = await run(path, file.read(0, maxBytes));
        return decodeUtf8(bytes, { isCut: file.stats.size > maxBytes });
      }),
    checksum: (uri) =>
      withFile(uri, async (file, path) => (await hashOpenFile(file, path, { sync, near: isNear(path) })).sha1),
    realUri: async (uri) => {
      const path = pathOf(uri);
      const real = await run(path, reach.realPath(path));
      return real === undefined ? undefined : pathToUri(real);
    },
  };
}

/** Entries by name; `folder`: its URI with a slash at the end. */
function inOrder(entries: readonly FoundEntry[], folder: string): FolderEntry[] {
  return entries
    .map(({ name, stats, foreign }): FolderEntry => ({
      name,
      uri: folder + (foreign === undefined ? relativeUri(name) : escapeBytes(foreign)),
      ...toFileStat(stats),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function runNearSteps<Result>(steps: Steps<Result>): Result {
  try {
    return runNow(steps);
  } catch (error) {
    // A job created this link.
    throw error instanceof OutOfReach ? new OutOfReach(error.message, { code: "OUTPUT_INVALID" }) : error;
  }
}

export function toFileStat(found: Stats | undefined): FileStat {
  if (found?.isDirectory() === true) return { kind: "directory", size: 0 };
  return found?.isFile() === true ? { kind: "file", size: found.size } : { kind: "other", size: 0 };
}

function escapeBytes(name: Buffer): string {
  return [...name].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Refuses a URI whose escapes are not UTF-8: the only name that a system call could get is another one. */
function pathOf(uri: string): string {
  const problem = fileUriProblem(uri);
  if (problem === undefined) return fileURLToPath(uri);
  throw new CwlFailure("OUTPUT_INVALID", problem, { hint: "rename the file: names of files must be UTF-8" });
}
