import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { AttemptState } from "./executor.ts";
import { claimLives, isOfThisBoot, readClaim, readExit } from "./job-record.ts";
import { RECORD_FILE } from "./job-record-text.ts";

/**
 * The state of an attempt that an earlier server began on this machine. `reattach`: it is running, or has recorded its exit
 * since the machine started. Otherwise the next attempt follows in a new folder: when the power fails, the record of an
 * exit may survive, and the outputs that were written before it may not. If the program has not been started yet, this
 * takes the claim, so that a late wrapper runs nothing. Throws if the folder cannot be read.
 */
export function inspectAttempt(folder: string): AttemptState {
  if (takeClaim(folder)) return "unclaimed";
  const claim = readClaim(folder);
  if (claim === undefined || !isOfThisBoot(claim)) return "lost";
  // The exit is read after checking the process, so that its last write is visible.
  return claimLives(claim) || readExit(folder) !== undefined ? "reattach" : "lost";
}

/**
 * Claims an attempt so that its program cannot be started. True if the claim was free, or if there is no folder, because
 * nothing can run in it.
 */
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
