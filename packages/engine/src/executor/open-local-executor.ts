import { existsSync, readFileSync } from "node:fs";
import type { Log } from "../log.ts";
import { machineCgroups, openJobCgroups } from "./cgroup/open-job-cgroups.ts";
import { canStamp } from "./kill/job-stamp.ts";
import { LocalExecutor } from "./local-executor.ts";
import type { Guards, LeftoversTold } from "./local-executor.ts";

/**
 * Finds out what this machine offers to hold the processes of a job together, and answers an executor that uses all of it.
 * `groupName` names the control group of a server; undefined: it is to make none. `told` is what the log says.
 */
export async function openLocalExecutor(
  groupName: string | undefined,
  log: Log,
): Promise<{ readonly executor: LocalExecutor; readonly told: Readonly<Record<string, unknown>> }> {
  const cgroups = groupName === undefined ? undefined : await openJobCgroups(groupName, machineCgroups());
  const guards: Guards = { stamps: canStamp(ownLimits()), cgroups };
  const told = {
    by: [
      ...(existsSync("/proc/self/environ") ? ["environment"] : ["process group"]),
      ...(guards.stamps ? ["limit"] : []),
      ...(cgroups === undefined ? [] : ["control group"]),
    ],
    memory_limits: cgroups?.countsMemory === true,
  };
  const leftovers: LeftoversTold = ({ runId, jobId }, { jobs, left }) =>
    log("warn", "what a job had left running when its program had ended was ended", {
      run_id: runId,
      job_id: jobId,
      processes: jobs.reduce((sum, { found }) => sum + found, 0),
      left: [...left],
    });
  return { executor: new LocalExecutor(guards, leftovers), told };
}

/** Empty where there is no /proc. */
function ownLimits(): string {
  return existsSync("/proc/self/limits") ? readFileSync("/proc/self/limits", "latin1") : "";
}
