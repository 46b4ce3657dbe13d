import type { JobTimes } from "../../../api/queries/all-jobs.ts";

/** Concurrent jobs and their memory per pixel: the mean over the time of the pixel. */
interface RunningCurves {
  readonly jobs: Float64Array;
  /** Peak memory of the running jobs, or requested memory if it was not measured. */
  readonly bytes: Float64Array;
  readonly mostJobs: number;
  readonly mostBytes: number;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Cost: one step per job and pixel. A job adds at its start and subtracts at its end. */
export function runningCurves(jobs: readonly JobTimes[], span: Span, width: number, nowMs: number): RunningCurves {
  const count = new Float64Array(width + 2);
  const bytes = new Float64Array(width + 2);
  const scale = width / Math.max(1, span.toMs - span.fromMs);
  for (const { startedMs, endedMs, rssBytes, ramBytes } of jobs) {
    if (startedMs === undefined) continue;
    const from = clamp((startedMs - span.fromMs) * scale, width);
    const to = clamp(((endedMs ?? Math.max(nowMs, startedMs)) - span.fromMs) * scale, width);
    if (to <= from) continue;
    const memory = rssBytes ?? ramBytes ?? 0;
    addEdge(count, from, 1);
    addEdge(count, to, -1);
    addEdge(bytes, from, memory);
    addEdge(bytes, to, -memory);
  }
  const [jobsAt, bytesAt] = [summed(count, width), summed(bytes, width)];
  return { jobs: jobsAt, bytes: bytesAt, mostJobs: mostOf(jobsAt), mostBytes: mostOf(bytesAt) };
}

/** A change within a pixel counts partially for that pixel. */
function addEdge(edges: Float64Array, at: number, value: number): void {
  const pixel = Math.floor(at);
  const late = at - pixel;
  edges[pixel] = (edges[pixel] ?? 0) + value * (1 - late);
  edges[pixel + 1] = (edges[pixel + 1] ?? 0) + value * late;
}

function summed(edges: Float64Array, width: number): Float64Array {
  const values = new Float64Array(width);
  let sum = 0;
  for (let pixel = 0; pixel < width; pixel += 1) {
    sum += edges[pixel] ?? 0;
    values[pixel] = Math.max(0, sum);
  }
  return values;
}

function mostOf(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function clamp(pixel: number, width: number): number {
  return Math.min(Math.max(0, pixel), width);
}
