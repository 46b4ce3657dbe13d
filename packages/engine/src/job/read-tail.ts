import { constants } from "node:fs";
import { open, readlink, realpath } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { absent } from "../files/absent.ts";

const TAIL_BYTES = 8192;
const TAIL_LINES = 20;
/** A link is not followed, and a pipe that a job has put there keeps nobody waiting. */
const CAREFULLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The last lines of a log, for the failure card; undefined where nothing was written. `folder`: that of the attempt, `path`:
 * relative to it. A job may have put something else in the place of its log: only a regular file at this very path counts.
 */
export async function readTail(folder: string, path: string): Promise<string | undefined> {
  const handle = await open(join(folder, path), CAREFULLY).catch(noLog);
  if (handle === undefined) return undefined;
  try {
    const found = await handle.stat();
    if (!found.isFile() || !(await isAt(handle, folder, path))) return undefined;
    const { size } = found;
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
    await handle.read(buffer, 0, buffer.length, size - buffer.length);
    const lines = buffer.toString("utf8").replace(/\n$/, "").split("\n");
    // A part of a line at the beginning would mislead.
    const whole = size > TAIL_BYTES ? lines.slice(1) : lines;
    const text = whole.slice(-TAIL_LINES).join("\n");
    return text === "" ? undefined : text;
  } finally {
    await handle.close();
  }
}

/** A socket cannot be opened at all. */
function noLog(error: NodeJS.ErrnoException): undefined {
  return error.code === "ENXIO" ? undefined : absent(error);
}

/** Where the open file is, whatever its path leads to by now. */
async function isAt(handle: FileHandle, folder: string, path: string): Promise<boolean> {
  const real = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(join(folder, path)));
  return real === join(await realpath(folder), path);
}
