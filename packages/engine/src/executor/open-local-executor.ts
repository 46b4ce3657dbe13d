import { existsSync, readFileSync } from "node:fs";
import { machineCgroups, openJobCgroups } from "./cgroup/open-job-cgroups.ts";
import { canStamp } from "./kill/job-stamp.ts";
import { LocalExecutor } from "./local-executor.ts";
import type { Guards } from "./local-executor.ts";

/**
 * Finds out what this machine offers to hold the processes of a job together, and answers an executor that uses all of it.
 * `name` names the control group of this server; `told` is what the log says.
 */
export async function openLocalExecutor(
  name: string,
): Promise<{ readonly executor: LocalExecutor; readonly told: Readonly<Record<string, unknown>> }> {
  const guards: Guards = { stamps: canStamp(ownLimits()), cgroups: await openJobCgroups(name, machineCgroups()) };
  const told = {
    by: [
      ...(existsSync("/proc/self/environ") ? ["environment"] : ["process group"]),
      ...(guards.stamps ? ["limit"] : []),
      ...(guards.cgroups === undefined ? [] : ["control group"]),
    ],
    memory_limits: guards.cgroups?.countsMemory === true,
  };
  return { executor: new LocalExecutor(guards), told };
}

/** Empty where there is no /proc. */
function ownLimits(): string {
  return existsSync("/proc/self/limits") ? readFileSync("/proc/self/limits", "latin1") : "";
}
