import type { Verdict } from "@weft/shared/records/comparison-record.ts";
import type { LogReader } from "../../journal/log-reader.ts";
import type { FileRow, JobRow } from "../../journal/rows.ts";
import type { RunsToCompare } from "./compare-runs.ts";
import { compareTools, type ToolsCompared } from "./compare-tools.ts";
import { recordedValues } from "../../values/record-values.ts";
import { isSameContent } from "./compare-files.ts";
import { compareValues } from "./compare-values.ts";

interface JobsCompared {
  /** Differences in versions, tools and containers, as sentences. */
  readonly surroundings: readonly string[];
  readonly tools: ToolsCompared;
  readonly firstDifference: Verdict["first_difference"];
}

/** Compares the jobs of two runs call by call, in the queue order of the first. */
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
    const parted = firstDivergence(sides, read);
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

/** A job of one of two runs with all files that it read and wrote. */
export interface JobSide {
  readonly job: Pick<JobRow, "state" | "inputs" | "outputs">;
  readonly files: readonly FileRow[];
}

type Sides = readonly [JobSide, JobSide];

type ValueReader = Pick<LogReader, "blob">;

const EXACT = { relative: 0, absolute: 0 };

/**
 * The first difference between the results of the same job in two runs with the same inputs: the path within the
 * outputs, or null if it ended in another state. Undefined if the results are equal or the inputs differ.
 */
export function firstDivergence(sides: Sides, read: ValueReader): { readonly output: string | null } | undefined {
  const [a, b] = sides;
  const output = otherPlace(sides, "output", read);
  if (output === undefined && a.job.state === b.job.state) return undefined;
  if (otherPlace(sides, "input", read) !== undefined) return undefined;
  return { output: a.job.state === b.job.state ? (output ?? null) : null };
}

/** The first path at which the inputs or outputs of the two jobs differ. */
function otherPlace(sides: Sides, direction: FileRow["direction"], read: ValueReader): string | undefined {
  return otherFile(sides, direction) ?? otherValue(sides, direction, read);
}

function otherFile([a, b]: Sides, direction: FileRow["direction"]): string | undefined {
  const [left, right] = [a, b].map(
    ({ files }) =>
      new Map(files.filter((row) => row.direction === direction).map((row) => [row.port + row.place, row])),
  ) as [Map<string, FileRow>, Map<string, FileRow>]; // each pair has two sides
  return [...new Set([...left.keys(), ...right.keys()])].find((place) => {
    const [row, other] = [left.get(place), right.get(place)];
    if (row === undefined || other === undefined) return true;
    return row.class !== other.class || (row.class !== "Directory" && !isSameContent(row, other));
  });
}

/** Finds a difference outside of files. Job records name files by URL, so different strings may refer to equal files. */
function otherValue([a, b]: Sides, direction: FileRow["direction"], read: ValueReader): string | undefined {
  const side = direction === "input" ? "inputs" : "outputs";
  const [left, right] = [a.job[side], b.job[side]];
  if (left === right) return undefined;
  const values = (digest: string | null) => (digest === null ? {} : recordedValues(read.blob(digest)));
  return compareValues(values(left), values(right), EXACT).find(({ result }) => result !== "identical")?.name;
}
