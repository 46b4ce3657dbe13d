import type { JobSummary } from "@weft/shared/records/job-record.ts";

/** Jobs of one step that failed for one reason. */
export interface FailureGroup {
  readonly step: string;
  readonly message: string;
  readonly jobs: number;
  /** In the order of their jobs, each once. */
  readonly samples: readonly string[];
}

/** Failed jobs by step and message, the most frequent cause first. */
export function groupFailures(jobs: readonly JobSummary[]): readonly FailureGroup[] {
  const groups = Map.groupBy(jobs, ({ step, state_reason }) => JSON.stringify([step, state_reason?.message ?? ""]));
  return [...groups.values()]
    .map((own) => ({
      step: own[0]?.step ?? "",
      message: own[0]?.state_reason?.message ?? "",
      jobs: own.length,
      samples: samplesOf(own),
    }))
    .toSorted((a, b) => b.jobs - a.jobs);
}

export function samplesOf(jobs: readonly JobSummary[]): readonly string[] {
  return [...new Set(jobs.flatMap(({ sample_id }) => sample_id ?? []))];
}

/** What happened, in one sentence without its end: `Smooth failed for sub-03`, `9 jobs failed for 9 of 300 samples`. */
export function failureTitle(
  jobs: readonly JobSummary[],
  all: { readonly jobs: number; readonly samples: number },
): string {
  const [first] = jobs;
  if (all.jobs === 1 && first !== undefined)
    return `${stepName(first.step)} failed${first.sample_id === null ? "" : ` for ${first.sample_id}`}`;
  const samples = samplesOf(jobs).length;
  const isKnown = jobs.length === all.jobs && samples > 0;
  return `${all.jobs} jobs failed${isKnown ? ` for ${samples} of ${Math.max(all.samples, samples)} samples` : ""}`;
}

/** The last part of a step's path, as the beginning of a sentence. */
export function stepName(step: string): string {
  const name = step.slice(step.lastIndexOf("/") + 1);
  return name === "" ? "The tool" : name.charAt(0).toUpperCase() + name.slice(1);
}
