import type { Stats } from "node:fs";
import { basename } from "node:path";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { absent } from "./absent.ts";
import type { OpenFile } from "./beneath/open-file.ts";
import { OutOfReach } from "./beneath/out-of-reach.ts";
import type { Reach } from "./beneath/reach.ts";
import { runLater } from "./beneath/steps.ts";
import type { Steps } from "./beneath/steps.ts";

/** A file that may be sent. A job may change what lies there at any moment: only what `open` answers counts. */
export interface ServableFile {
  /** Where it was found. Tells one file from another; never open it by this. */
  readonly path: string;
  readonly name: string;
  readonly size: number;
  /** Walks to the file anew and opens it. Refuses `file-not-found` where it is gone, or out of reach by now. */
  readonly open: () => Promise<OpenFile>;
}

/** Undefined where no regular file is within reach at this path. */
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
      if (file === undefined) throw new Refusal("file-not-found", `${name} is no longer there`);
      return file;
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
    const { code } = error as NodeJS.ErrnoException; // of a system call
    return code === "EISDIR" || code === "ENXIO" ? undefined : absent(error as NodeJS.ErrnoException);
  }
}
