import type { Stats } from "node:fs";
import { basename } from "node:path";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { undefinedIfMissing } from "./beneath/undefined-if-missing.ts";
import type { OpenFile } from "./beneath/open-file.ts";
import { OutOfReach } from "./beneath/out-of-reach.ts";
import type { Reach } from "./beneath/reach.ts";
import { runLater, type Steps } from "./beneath/steps.ts";

/** A file that may be sent. A job may replace it at any moment, so only the result of `open` is reliable. */
export interface ServableFile {
  /** The file's path when it was found. Use it only to distinguish files; never open it. */
  readonly path: string;
  readonly name: string;
  readonly size: number;
  /** Walks to the file again and opens it. Refuses `file-not-found` if it is gone or out of reach by now. */
  readonly open: () => Promise<OpenFile>;
}

/** Undefined if this path has no regular file within reach. */
export async function servableFile(path: string, reach: Reach): Promise<ServableFile | undefined> {
  const found = await unlessAbsent(reach.stat(path));
  if (found?.isFile() !== true) return undefined;
  const name = basename(path);
  return {
    path,
    name,
    size: found.size,
    open: async () => {
      const file = await unlessAbsent(reach.openFile(path));
      if (file !== undefined) return file;
      throw new Refusal("file-not-found", `${name} no longer exists`);
    },
  };
}

/** Strong entity tag without quotes. */
export function entityTagOf({ size, mtimeMs, ino }: Stats): string {
  return `${size.toString(16)}-${Math.round(mtimeMs).toString(16)}-${ino.toString(16)}`;
}

async function unlessAbsent<Value>(steps: Steps<Value>): Promise<Value | undefined> {
  try {
    return await runLater(steps);
  } catch (error) {
    if (error instanceof OutOfReach) return undefined;
    const { code } = error as NodeJS.ErrnoException; // the error is from a system call
    return code === "EISDIR" || code === "ENXIO" ? undefined : undefinedIfMissing(error as NodeJS.ErrnoException);
  }
}
