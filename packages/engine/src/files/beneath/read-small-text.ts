import { OutOfReach } from "./out-of-reach.ts";
import type { Reach } from "./reach.ts";
import type { Steps } from "./steps.ts";
import { codeOf } from "./system-calls.ts";

const MAX_TEXT_BYTES = 32 * 1024 ** 2;

/** The text of a file of at most 32 MiB; undefined if it cannot be read. */
export function* readSmallText(reach: Reach, path: string, maxBytes = MAX_TEXT_BYTES): Steps<string | undefined> {
  try {
    using file = yield* reach.openFile(path);
    if (file.stats.size > maxBytes) return undefined;
    return (yield* file.read(0, maxBytes)).toString("utf8");
  } catch (error) {
    if (error instanceof OutOfReach || codeOf(error) !== "") return undefined;
    throw error;
  }
}
