import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseClaim, parseExit, RECORD_FILE, startTicksOf, type Claim, type RecordedExit } from "./job-record-text.ts";

const POLL_MS = 250;

/** The exit recorded in an attempt folder, if any. */
export function readExit(folder: string): RecordedExit | undefined {
  return parseExit(readRecord(folder));
}

export function readClaim(folder: string): Claim | undefined {
  return parseClaim(readRecord(folder));
}

/** Waits until a job that another process started has recorded its exit, or its process has disappeared. */
export async function untilClaimedEnds(folder: string, signal: AbortSignal): Promise<void> {
  for (let missed = 0; ;) {
    const claim = readClaim(folder);
    const lives = claim !== undefined && claimLives(claim);
    // Read after checking the process, so that its last write is visible.
    if (readExit(folder) !== undefined) return;
    // A claim exists for a moment before its content is written.
    if (!lives) missed += 1;
    if (missed > 1 || signal.aborted) return;
    await pause(POLL_MS);
  }
}

/** True while exactly the process that made the claim is alive: same boot, pid and start time. */
export function claimLives(claim: Claim): boolean {
  if (!isOfThisBoot(claim)) return false;
  const stat = readText(`/proc/${claim.pid}/stat`);
  return stat !== "" && !isZombie(stat) && startTicksOf(stat) === claim.startTicks;
}

/** True if the machine has not been restarted since the claim was made. */
export function isOfThisBoot({ bootId }: Claim): boolean {
  return bootId === readText("/proc/sys/kernel/random/boot_id").trim();
}

/** True if a process is running, which a zombie is not. */
export function processLives(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !isZombie(readText(`/proc/${pid}/stat`));
}

/** A zombie stays listed until its parent waits for it, which not every init process of a container does. */
function isZombie(stat: string): boolean {
  return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

/** The text of an attempt's record; empty if it has not been claimed. Throws if it cannot be read. */
export function readRecord(folder: string): string {
  return readText(join(folder, RECORD_FILE));
}

/** Error codes for a missing file or process. */
export const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOENT", "ESRCH"]);

/**
 * Reads a few bytes from a local disk, synchronously. A missing file is an expected result. An unreadable one is an error,
 * because a job that may be running must not count as one that never ran.
 */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code)) return "";
    throw error;
  }
}
