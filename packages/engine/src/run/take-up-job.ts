import { open } from "node:fs/promises";
import { join } from "node:path";
import { claimLives, readClaim, readExit } from "../executor/job-record.ts";
import { RECORD_FILE } from "../executor/job-record-text.ts";

/** `lost`: it ran, and ended without a record; `unclaimed`: nobody has started its program. */
export type TakenUp = "adopt" | "lost" | "unclaimed";

/**
 * What became of an attempt that an earlier server had begun: it is to be adopted (it runs, or has left its exit code), or
 * the next attempt follows in a new folder. Of one whose program nobody has started yet the claim is taken here, so that a
 * wrapper that comes late ends without running it. Rejects where the folder cannot be read.
 */
export async function takeUpJob(folder: string): Promise<TakenUp> {
  if (await takeClaim(folder)) return "unclaimed";
  const claim = readClaim(folder);
  const lives = claim !== undefined && claimLives(claim);
  // Read after the look at the process: what it wrote last is there now.
  return lives || readExit(folder) !== undefined ? "adopt" : "lost";
}

/** True when the claim was free; also when there is no folder, because nothing can run in it. */
async function takeClaim(folder: string): Promise<boolean> {
  try {
    await (await open(join(folder, RECORD_FILE), "wx")).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw error;
  }
}
