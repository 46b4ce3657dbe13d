import { availableParallelism, totalmem } from "node:os";
import { relative } from "node:path";
import type { Process } from "@weft/cwl/model/process.ts";
import type { Estimate } from "@weft/shared/records/insight-record.ts";
import { attemptFolder } from "../files/attempt-folder.ts";
import { readTail } from "../files/read-tail.ts";
import { forecastRun } from "../insight/forecast-run.ts";
import { stepPlan } from "../insight/step-plan.ts";
import type { JobRow, RunRow, StepRow } from "../journal/rows.ts";
import type { RunDisk } from "../jobs/job-services.ts";
import type { RunLog } from "../journal/run-log.ts";

/** The state of a run in progress, for people who watch it. */
export interface RunSnapshot {
  readonly run: RunRow;
  readonly steps: readonly StepRow[];
  /** The estimated remaining time; null if unknown. */
  readonly left: Estimate | null;
  /** The job that has been running longest. */
  readonly slowest: RunningJob | undefined;
}

interface RunningJob {
  readonly jobId: string;
  readonly sampleId: string | null;
  readonly startedMs: number;
  /** The last line of its standard error. */
  readonly lastLine: string | undefined;
}

export interface SnapshotOptions {
  readonly runId: string;
  readonly process: Process;
  /** Maximum number of parallel jobs; undefined: as many as fit. */
  readonly jobs: number | undefined;
}

/** Number of jobs examined to find the slowest: those that were created first. */
const EXAMINED_JOBS = 100;
/** More parallel jobs than any machine starts. */
const MANY = 1_000_000;

/** Reads a snapshot of a run; undefined before the run is recorded. */
export async function readRunSnapshot(
  { runId, process, jobs = MANY }: SnapshotOptions,
  services: RunLog & RunDisk,
): Promise<RunSnapshot | undefined> {
  const { read } = services.journal;
  const run = read.run(runId);
  if (run === undefined) return undefined;
  const forecast = forecastRun(run, {
    read,
    nowMs: services.journal.nowMs(),
    machine: {
      ...{ cores: availableParallelism(), ramBytes: totalmem() },
      ...{ slots: jobs, remote: jobs, otherRuns: 0, isBehind: false },
    },
    earlier: [],
    plan: stepPlan(process),
    measuresOfTool: () => [],
  });
  return { run, steps: read.steps(runId), left: forecast.left, slowest: await slowestJob(runId, services) };
}

async function slowestJob(runId: string, { journal, runsFolder }: RunLog & RunDisk): Promise<RunningJob | undefined> {
  const { entries } = journal.read.jobs(runId, { states: ["RUNNING"], pageSize: EXAMINED_JOBS });
  let slowest: JobRow | undefined;
  for (const job of entries)
    if (job.startedMs !== null && job.startedMs < (slowest?.startedMs ?? Number.POSITIVE_INFINITY)) slowest = job;
  if (slowest === undefined || slowest.startedMs === null) return undefined;
  const { jobId, sampleId, startedMs, command } = slowest;
  const folder = attemptFolder(runsFolder, runId, slowest);
  const path = command?.stderr === undefined ? "stderr" : relative(folder, command.stderr);
  const tail = path.startsWith("..") ? undefined : await readTail(folder, path);
  return { jobId, sampleId, startedMs, lastLine: tail?.split("\n").at(-1) };
}
