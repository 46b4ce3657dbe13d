import { textOf } from "../process-files.ts";
import { existsSync } from "node:fs";
import type { Log } from "../../log.ts";
import { machineCgroups, openJobCgroups } from "../cgroup/open-job-cgroups.ts";
import { canStamp } from "../kill/job-stamp.ts";
import { LocalExecutor, type Guards, type RemainingProcessesListener } from "./local-executor.ts";
import type { JobLimits } from "../usage/job-guard.ts";

export interface LocalExecutorSettings {
  /** Name of the server's control group; undefined: create none. */
  readonly groupName: string | undefined;
  readonly limits: JobLimits;
  readonly log: Log;
}

/**
 * Detects this machine's means of tracking and limiting a job's processes, and returns an executor that uses them all.
 * `tracking` describes them for the log.
 */
export async function openLocalExecutor({ groupName, limits, log }: LocalExecutorSettings): Promise<{
  readonly executor: LocalExecutor;
  readonly tracking: Readonly<Record<string, unknown>>;
}> {
  const cgroups = groupName === undefined ? undefined : await openJobCgroups(groupName, machineCgroups());
  const own = textOf("/proc/self/limits");
  const jobOpenFiles = Math.min(limits.jobOpenFiles, mostOpenFiles(own));
  const guards: Guards = { stamps: canStamp(own), cgroups, limits: { ...limits, jobOpenFiles } };
  const tracking = {
    by: [
      ...(existsSync("/proc/self/environ") ? ["environment"] : ["process group"]),
      ...(guards.stamps ? ["limit"] : []),
      ...(cgroups === undefined ? [] : ["control group"]),
    ],
    memory_limits: cgroups?.countsMemory === true,
    process_limits: cgroups?.countsProcesses === true,
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

function mostOpenFiles(limits: string): number {
  return Number(/^Max open files +\S+ +(\d+)/m.exec(limits)?.[1] ?? Infinity);
}
