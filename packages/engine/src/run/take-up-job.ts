import { open } from "node:fs/promises";
import { join } from "node:path";
import { claimLives, readClaim, readExit } from "../executor/job-record.ts";
import { RECORD_FILE } from "../executor/job-record-text.ts";

/**
 * What to do with a job that an earlier server had begun: `adopt` it (it runs, or has left its exit code), or run it
 * `again` as the next attempt in a new folder. Of an attempt whose program nobody has started yet the claim is taken here,
 * so that a wrapper that comes late ends without running it.
 */
export async function takeUpJob(folder: string): Promise<"adopt" | "again"> {
  if (await takeClaim(folder)) return "again";
  if (readExit(folder) !== undefined) return "adopt";
  const claim = readClaim(folder);
  return claim !== undefined && claimLives(claim) ? "adopt" : "again";
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
