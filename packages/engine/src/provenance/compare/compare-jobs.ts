import type { Verdict } from "@weft/shared/records/comparison-record.ts";
import type { LogReader } from "../../journal/log-reader.ts";
import type { FileRow, JobRow } from "../../journal/rows.ts";
import type { RunsToCompare } from "./compare-runs.ts";
import { compareTools } from "./compare-tools.ts";
import type { ToolsCompared } from "./compare-tools.ts";
import { whereParted } from "./where-parted.ts";

interface JobsCompared {
  /** What was not the same around the work: sentences. */
  readonly surroundings: readonly string[];
  readonly tools: ToolsCompared;
  readonly firstDifference: Verdict["first_difference"];
}

/** Holds the jobs of two runs against each other, call by call, in the order in which the first queued them. */
export function compareJobs({ first, second }: RunsToCompare, read: LogReader): JobsCompared {
  const others = new Map(read.jobsOfRun(second.runId).map((job) => [job.callId, job]));
  const [left, right] = [filesByJob(first.runId, read), filesByJob(second.runId, read)];
  const pairs: (readonly [JobRow, JobRow])[] = [];
  let firstDifference: Verdict["first_difference"] = null;
  for (const job of read.jobsOfRun(first.runId)) {
    const other = others.get(job.callId);
    if (other === undefined) continue;
    pairs.push([job, other]);
    if (firstDifference !== null) continue;
    const sides = [
      { job, files: left.get(job.jobId) ?? [] },
      { job: other, files: right.get(other.jobId) ?? [] },
    ] as const;
    const parted = whereParted(sides, read);
    if (parted !== undefined)
      firstDifference = { job_id: other.jobId, step: other.step, sample_id: other.sampleId, output: parted.output };
  }
  const { sentences, tools } = compareTools(pairs);
  return { surroundings: [...differentVersions({ first, second }, read), ...sentences], tools, firstDifference };
}

function* differentVersions({ first, second }: RunsToCompare, read: LogReader): Generator<string> {
  const [a, b] = [first, second].map(({ runId }) => read.creation(runId).engine_version);
  if (a !== b) yield `Weft ${a ?? "of an unknown version"} and ${b ?? "of an unknown version"}`;
}

function filesByJob(runId: string, read: LogReader): ReadonlyMap<string, readonly FileRow[]> {
  return Map.groupBy(read.filesOfRun(runId), ({ jobId }) => jobId ?? "");
}
