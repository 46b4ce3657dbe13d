import type { JobSummary } from "@weft/shared/records/job-record.ts";
import { plainLine } from "../../../format/parse-ansi.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";

/** Jobs of one step that failed for the same reason. */
export interface FailureGroup {
  readonly step: string;
  readonly message: string;
  readonly jobs: number;
  readonly first: JobSummary;
  /** Distinct samples in job order. */
  readonly samples: readonly string[];
}

/** Failed jobs by step and message, the most frequent cause first. */
export function groupFailures(jobs: readonly JobSummary[]): readonly FailureGroup[] {
  const groups = Map.groupBy(jobs, ({ step, state_reason }) => JSON.stringify([step, state_reason?.message ?? ""]));
  return [...groups.values()]
    .flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const message = first.state_reason?.message ?? "";
      return { step: first.step, message, jobs: own.length, first, samples: samplesOf(own) };
    })
    .toSorted((a, b) => b.jobs - a.jobs);
}

export function samplesOf(jobs: readonly JobSummary[]): readonly string[] {
  return [...new Set(jobs.flatMap(({ sample_id }) => sample_id ?? []))];
}

/** Figures of a run that failed. */
interface RunFigures {
  /** Number of failed jobs. */
  readonly failed: number;
  /** Number of samples of the run. */
  readonly samples: number;
}

/** The failure without its cause: `Smooth failed for sub-03`, `9 jobs failed for 9 of 300 samples`. */
export function failureTitle(jobs: readonly JobSummary[], { failed, samples: all }: RunFigures): string {
  const [first] = jobs;
  if (failed === 1 && first !== undefined)
    return `${stepName(first.step)} failed${first.sample_id === null ? "" : ` for ${first.sample_id}`}`;
  const samples = samplesOf(jobs).length;
  const isKnown = jobs.length === failed && samples > 0;
  return `${numberText(failed)} jobs failed${isKnown ? ` for ${numberText(samples)} of ${countText(Math.max(all, samples), "sample")}` : ""}`;
}

const MAX_CHARACTERS = 200;
const SAYS_WHY = /error|exception|fail|cannot|can't|not |invalid|denied|missing|killed/i;

/**
 * The line of standard error that probably states the cause: the last one with a typical word, else the last one. "" if
 * nothing was written.
 */
export function causeLine(stderr: string): string {
  const lines = stderr.split("\n").flatMap((line) => {
    // A stack trace line does not state the cause.
    const text = plainLine(line).trim();
    return text === "" || /^(at |File ")/.test(text) ? [] : [text];
  });
  const line = lines.findLast((text) => SAYS_WHY.test(text)) ?? lines.at(-1) ?? "";
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
}

/** The last part of a step's path, capitalized. */
export function stepName(step: string): string {
  const name = step.slice(step.lastIndexOf("/") + 1);
  return name === "" ? "The tool" : name.charAt(0).toUpperCase() + name.slice(1);
}
