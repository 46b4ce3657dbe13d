import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { AttemptState } from "./executor.ts";
import { claimLives, readClaim, readExit } from "./job-record.ts";
import { RECORD_FILE } from "./job-record-text.ts";

/**
 * What became of an attempt that an earlier server had begun on this machine: it is to be reattached (it runs, or has left its exit code), or
 * the next attempt follows in a new folder. Of one whose program nobody has started yet the claim is taken here, so that a
 * wrapper that comes late ends without running it. Throws where the folder cannot be read.
 */
export function inspectAttempt(folder: string): AttemptState {
  if (takeClaim(folder)) return "unclaimed";
  const claim = readClaim(folder);
  const lives = claim !== undefined && claimLives(claim);
  // Read after the look at the process: what it wrote last is there now.
  return lives || readExit(folder) !== undefined ? "reattach" : "lost";
}

/** Claims an attempt so that nobody starts its program any more. True when the claim was free; also when there is no folder, because nothing can run in it. */
export function takeClaim(folder: string): boolean {
  try {
    closeSync(openSync(join(folder, RECORD_FILE), "wx"));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw error;
  }
}
