import { existsSync, readFileSync } from "node:fs";
import type { Log } from "../log.ts";
import { machineCgroups, openJobCgroups } from "./cgroup/open-job-cgroups.ts";
import { canStamp } from "./kill/job-stamp.ts";
import { LocalExecutor } from "./local-executor.ts";
import type { Guards, RemainingProcessesListener } from "./local-executor.ts";

/**
 * Finds out what this machine offers to keep track of a job's processes, and returns an executor that uses all of it.
 * `groupName` is the name of the server's control group; undefined: create none. `tracking` describes how processes are
 * tracked, for the log.
 */
export async function openLocalExecutor(
  groupName: string | undefined,
  log: Log,
): Promise<{ readonly executor: LocalExecutor; readonly tracking: Readonly<Record<string, unknown>> }> {
  const cgroups = groupName === undefined ? undefined : await openJobCgroups(groupName, machineCgroups());
  const guards: Guards = { stamps: canStamp(ownLimits()), cgroups };
  const tracking = {
    by: [
      ...(existsSync("/proc/self/environ") ? ["environment"] : ["process group"]),
      ...(guards.stamps ? ["limit"] : []),
      ...(cgroups === undefined ? [] : ["control group"]),
    ],
    memory_limits: cgroups?.countsMemory === true,
  };
  const remaining: RemainingProcessesListener = ({ runId, jobId }, { jobs, left }) =>
    log("warn", "processes that outlived the program of their job were ended", {
      run_id: runId,
      job_id: jobId,
      processes: jobs.reduce((sum, { found }) => sum + found, 0),
      left: [...left],
    });
  return { executor: new LocalExecutor(guards, remaining), tracking };
}

/** Empty without /proc. */
function ownLimits(): string {
  return existsSync("/proc/self/limits") ? readFileSync("/proc/self/limits", "latin1") : "";
}
