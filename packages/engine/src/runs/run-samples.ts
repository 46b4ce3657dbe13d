import type { JobState } from "@weft/shared/records/state.ts";
import type { SampleList, SampleRow } from "@weft/shared/records/sample-record.ts";
import { NO_JOB_LETTER, SAMPLE_STATE_LETTERS } from "@weft/shared/records/sample-letters.ts";
import type { RouteQuery } from "@weft/shared/routes/routes.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { SampleJob } from "../journal/read-samples.ts";
import type { RunRow } from "../journal/rows.ts";
import { jobPlaces, type JobPlace } from "../present/step-of-job.ts";

const PAGE_SIZE = 500;
/** Maximum number of letters in one answer; runs with very many steps get fewer samples per page. */
const MAX_CHARACTERS = 200_000;

/** If a sample has several jobs, the state that comes later in this list is shown. */
const STATES_BY_WEIGHT: readonly JobState[] = [
  "COMPLETE",
  "QUEUED",
  "INITIALIZING",
  "RUNNING",
  "CANCELING",
  "CANCELED",
  "PREEMPTED",
  "SYSTEM_ERROR",
  "EXECUTOR_ERROR",
];

export type SamplesQuery = RouteQuery<"GET /api/runs/{run_id}/samples">;

/** A page of the samples of a run, each with the state of its jobs by step. */
export function listSamples(
  row: RunRow,
  { page_size: size = PAGE_SIZE, page_token: pageToken }: SamplesQuery,
  read: LogReader,
): SampleList {
  const steps = read.steps(row.runId).map(({ step }) => step);
  const most = Math.max(1, Math.min(size, Math.floor(MAX_CHARACTERS / Math.max(1, steps.length))));
  const { entries, total, nextPageToken } = read.sampleJobs(row.runId, { pageSize: most, pageToken });
  return {
    run_id: row.runId,
    steps,
    samples: sampleRows(entries, steps, (jobId) => read.jobPlace(row.runId, jobId)),
    total,
    next_page_token: nextPageToken,
  };
}

/** One row per sample; `placeOf` looks up the facts that an id does not reveal. */
function sampleRows(
  jobs: readonly SampleJob[],
  steps: readonly string[],
  lookUp: (jobId: string) => JobPlace | undefined,
): SampleRow[] {
  const placeOf = jobPlaces(steps);
  const columns = new Map(steps.map((step, place) => [step, place]));
  return [...Map.groupBy(jobs, ({ sampleId }) => sampleId)].map(([sampleId, own]) => {
    const weights = new Map<number, number>();
    let index: number | null = null;
    for (const { jobId, state } of own) {
      const place = placeOf(jobId) ?? lookUp(jobId);
      const column = columns.get(place?.step ?? "");
      if (place === undefined || column === undefined) continue;
      index ??= place.position ?? null;
      weights.set(column, Math.max(weights.get(column) ?? 0, STATES_BY_WEIGHT.indexOf(state)));
    }
    const letters = steps.map((_, column) => letterOf(weights.get(column)));
    return { sample_id: sampleId, index, states: letters.join("") };
  });
}

function letterOf(weight: number | undefined): string {
  const state = weight === undefined ? undefined : STATES_BY_WEIGHT[weight];
  return state === undefined ? NO_JOB_LETTER : SAMPLE_STATE_LETTERS[state];
}
