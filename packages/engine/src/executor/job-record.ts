import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { JobExit } from "./executor.ts";
import { parseClaim, parseExitFile, startTicksOf } from "./job-wrapper.ts";
import type { Claim } from "./job-wrapper.ts";

const POLL_MS = 250;

/** What an attempt folder says about the end of its job: the exit file, or nothing. */
export async function readExit(folder: string): Promise<JobExit | undefined> {
  const record = parseExitFile(await readOr(join(folder, "exit"), ""));
  return record === undefined ? undefined : { kind: "exited", ...record };
}

export async function readClaim(folder: string): Promise<Claim | undefined> {
  return parseClaim(await readOr(join(folder, "claim"), ""));
}

/** Waits for the end of a job that another process started: by its exit file, or by its process being gone without one. */
export async function watchClaimed(folder: string, signal: AbortSignal): Promise<JobExit> {
  for (;;) {
    const claim = await readClaim(folder);
    const lives = claim !== undefined && (await claimLives(claim));
    // Read after the look at the process: what it wrote last is there now.
    const exit = await readExit(folder);
    if (exit !== undefined) return exit;
    if (!lives || signal.aborted) return { kind: "lost" };
    await pause(POLL_MS);
  }
}

/** True while the very process that made the claim lives: same boot, same pid, same start. */
export async function claimLives(claim: Claim): Promise<boolean> {
  const boot = (await readOr("/proc/sys/kernel/random/boot_id", "")).trim();
  if (boot !== claim.bootId) return false;
  const stat = await readOr(`/proc/${claim.pid}/stat`, "");
  return stat !== "" && startTicksOf(stat) === claim.startTicks;
}

async function readOr(path: string, otherwise: string): Promise<string> {
  // A file that is not there is an answer here, not a failure.
  return readFile(path, "utf8").catch(() => otherwise);
}
