import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseClaim, parseExit, RECORD_FILE, startTicksOf } from "./job-record-text.ts";
import type { Claim, RecordedExit } from "./job-record-text.ts";

const POLL_MS = 250;

/** What an attempt folder says about the end of its job: the exit on record, or nothing. */
export function readExit(folder: string): RecordedExit | undefined {
  return parseExit(readRecord(folder));
}

export function readClaim(folder: string): Claim | undefined {
  return parseClaim(readRecord(folder));
}

/**
 * Waits for the end of a job that another process started: by its record, or by its process being gone without one, which
 * answers undefined.
 */
export async function watchClaimed(folder: string, signal: AbortSignal): Promise<RecordedExit | undefined> {
  for (let missed = 0; ;) {
    const claim = readClaim(folder);
    const lives = claim !== undefined && claimLives(claim);
    // Read after the look at the process: what it wrote last is there now.
    const exit = readExit(folder);
    if (exit !== undefined) return exit;
    // A claim is there a moment before it says whose it is.
    if (!lives) missed += 1;
    if (missed > 1 || signal.aborted) return undefined;
    await pause(POLL_MS);
  }
}

/** True while the very process that made the claim lives: same boot, same pid, same start. */
export function claimLives(claim: Claim): boolean {
  const boot = readOr("/proc/sys/kernel/random/boot_id", "").trim();
  if (boot !== claim.bootId) return false;
  const stat = readOr(`/proc/${claim.pid}/stat`, "");
  // One that has ended is listed until its parent asks how, and not every first process of a container does.
  return stat !== "" && !isZombie(stat) && startTicksOf(stat) === claim.startTicks;
}

function isZombie(stat: string): boolean {
  return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

/** The text of an attempt's record; empty where nobody has claimed it. Throws where it cannot be read. */
export function readRecord(folder: string): string {
  return readOr(join(folder, RECORD_FILE), "");
}

/** What is said by the system of a file, or of a process, that is not there. */
export const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOENT", "ESRCH"]);

/**
 * A few bytes on a local disk: read at once. A file that is not there is an answer here, not a failure; one that cannot be read
 * is a failure, for a job that may be running must not be taken for one that never was.
 */
function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code)) return otherwise;
    throw error;
  }
}
