import { Refusal } from "@weft/shared/records/refusal.ts";
import { createLinks } from "@weft/shared/links.ts";
import type { Caller } from "../port/caller.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { JobRow, RunRow } from "../journal/rows.ts";

/** The server itself, which sees every run. The architecture test lists the files that may act as the server. */
export const SYSTEM_CALLER: Caller = { principal: "engine", links: createLinks("weft:"), othersRuns: "changeable" };

/** The only owner whose runs the caller may see; undefined: runs of every owner. */
export function visibleOwner(caller: Caller): string | undefined {
  return caller.othersRuns === "hidden" ? caller.principal : undefined;
}

/** A run that the caller may see. Refuses `run-not-found` for all others, as if they did not exist. */
export function requireVisibleRun(read: LogReader, runId: string, caller: Caller): RunRow {
  const row = read.run(runId, visibleOwner(caller));
  if (row === undefined) throw new Refusal("run-not-found", `There is no run ${runId}.`);
  return row;
}

/** The name of a run; its ID for a run that the caller may not see. */
export function visibleRunName(read: LogReader, runId: string, caller: Caller): string {
  return read.run(runId, visibleOwner(caller))?.name ?? runId;
}

/** A job of a run that the caller may see. Refuses `run-not-found` and `job-not-found`. */
export function requireVisibleJob(
  read: LogReader,
  { runId, jobId }: { readonly runId: string; readonly jobId: string },
  caller: Caller,
): JobRow {
  requireVisibleRun(read, runId, caller);
  const row = read.job(runId, jobId);
  if (row === undefined) throw new Refusal("job-not-found", `The run has no job ${jobId}.`);
  return row;
}

/** A run that the caller may change. Refuses `run-not-found`, or `forbidden` if the caller may only see it. */
export function requireChangeableRun(read: LogReader, runId: string, caller: Caller): RunRow {
  const row = requireVisibleRun(read, runId, caller);
  if (caller.othersRuns === "changeable" || row.owner === caller.principal) return row;
  throw new Refusal(
    "forbidden",
    `The run belongs to ${row.owner}; ${caller.principal} may change only their own runs. Ask ${row.owner} or an admin.`,
  );
}

/** The only owner whose subscriptions and automations the caller may see and change; undefined: those of every owner. */
export function changeableOwner({ othersRuns, principal }: Caller): string | undefined {
  return othersRuns === "changeable" ? undefined : principal;
}
