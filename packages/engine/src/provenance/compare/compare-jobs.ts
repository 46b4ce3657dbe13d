import type { Verdict } from "@weft/shared/records/comparison-record.ts";
import type { LogReader } from "../../journal/log-reader.ts";
import type { FileRow, JobRow } from "../../journal/rows.ts";
import { isSameContent } from "./compare-files.ts";
import type { RunsToCompare } from "./compare-runs.ts";
import { compareTools } from "./compare-tools.ts";
import type { ToolsCompared } from "./compare-tools.ts";

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
    const files = { a: left.get(job.jobId) ?? [], b: right.get(other.jobId) ?? [] };
    if (firstDifference === null && hasParted(job, other, files))
      firstDifference = { job_id: other.jobId, step: other.step, sample_id: other.sampleId };
  }
  const { sentences, tools } = compareTools(pairs);
  return { surroundings: [...differentVersions({ first, second }, read), ...sentences], tools, firstDifference };
}

function* differentVersions({ first, second }: RunsToCompare, read: LogReader): Generator<string> {
  const [a, b] = [read.engineVersion(first.runId), read.engineVersion(second.runId)];
  if (a !== b) yield `Weft ${a ?? "of an unknown version"} and ${b ?? "of an unknown version"}`;
}

interface FilePair {
  readonly a: readonly FileRow[];
  readonly b: readonly FileRow[];
}

/** The same went in and something else came out. */
function hasParted(a: JobRow, b: JobRow, files: FilePair): boolean {
  if (!isSameSide(files, "input")) return false;
  return a.state !== b.state || !isSameSide(files, "output") || hasOtherValues(a, b, files);
}

function isSameSide({ a, b }: FilePair, direction: FileRow["direction"]): boolean {
  const of = (rows: readonly FileRow[]) =>
    new Map(rows.filter((row) => row.direction === direction).map((row) => [row.port + row.place, row]));
  const [left, right] = [of(a), of(b)];
  if (left.size !== right.size) return false;
  return [...left].every(([place, row]) => {
    const other = right.get(place);
    return other !== undefined && (row.class === "Directory" || isSameContent(row, other));
  });
}

/** Outputs without files are equal exactly if their recorded texts are. */
function hasOtherValues(a: JobRow, b: JobRow, { a: left, b: right }: FilePair): boolean {
  const hasFiles = [...left, ...right].some(({ direction }) => direction === "output");
  return !hasFiles && a.outputs !== b.outputs;
}

function filesByJob(runId: string, read: LogReader): ReadonlyMap<string, readonly FileRow[]> {
  return Map.groupBy(read.filesOfRun(runId), ({ jobId }) => jobId ?? "");
}
