import { open } from "node:fs/promises";
import { absent } from "../files/absent.ts";

const TAIL_BYTES = 8192;
const TAIL_LINES = 20;

/** The last lines of a log, for the failure card; undefined where nothing was written. */
export async function readTail(path: string): Promise<string | undefined> {
  const handle = await open(path, "r").catch(absent);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
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
