import { useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { NO_JOB_LETTER, SAMPLE_STATE_LETTERS } from "@weft/shared/records/sample-letters.ts";
import type { SampleRow } from "@weft/shared/records/sample-record.ts";
import type { JobState } from "@weft/shared/records/state.ts";
import { useMemo } from "react";
import type { JobTimes } from "../../../api/queries/all-jobs.ts";
import { type RunSamples, runOutputsQuery, samplesQuery } from "../../../api/queries/run-queries.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { ACTIVE_STATES, STATE_LOOKS, isFailed } from "../../../format/state-look.ts";

/** Overall state of a sample, across all of its steps. */
export type SampleOutcome = "failed" | "stopped" | "running" | "waiting" | "succeeded";

export const SAMPLE_OUTCOMES: readonly { readonly id: SampleOutcome; readonly label: string }[] = [
  { id: "failed", label: "Failed" },
  { id: "stopped", label: "Aborted" },
  { id: "running", label: "Running" },
  { id: "waiting", label: "Waiting" },
  { id: "succeeded", label: "Succeeded" },
];

export interface MatrixRow {
  readonly sample: string;
  /** Position in the list that is scattered first. */
  readonly index: number | null;
  /** The states by column; undefined if there is no job. */
  readonly states: readonly (JobState | undefined)[];
  readonly outcome: SampleOutcome;
}

export interface Matrix {
  readonly steps: readonly string[];
  readonly rows: readonly MatrixRow[];
}

const STATE_OF_LETTER: ReadonlyMap<string, JobState> = new Map(
  // The keys of a Record over JobState.
  Object.entries(SAMPLE_STATE_LETTERS).map(([state, letter]) => [letter, state as JobState]),
);

/** Facts about samples besides the states of their jobs. */
interface RunKnowledge {
  readonly isOpen: boolean;
  /** Samples without some of their outputs, after a failure or an abort. */
  readonly incomplete?: ReadonlySet<string>;
}

const NO_SAMPLES = { steps: [], samples: [] };

/** Samples by the steps that have jobs with samples; failed samples come first, the others in input order. */
export function arrangeMatrix({ steps, samples }: Pick<RunSamples, "steps" | "samples">, known: RunKnowledge): Matrix {
  const used = steps.map((_, column) => samples.some(({ states }) => hasJob(states, column)));
  const columns = steps.flatMap((_, column) => (used[column] === true ? [column] : []));
  return {
    steps: columns.map((column) => steps[column] ?? ""),
    rows: samples.map((sample) => toRow(sample, columns, known)).toSorted(compareRows),
  };
}

function hasJob(states: string, column: number): boolean {
  return (states[column] ?? NO_JOB_LETTER) !== NO_JOB_LETTER;
}

function toRow(
  { sample_id: sample, index, states }: SampleRow,
  columns: readonly number[],
  { isOpen, incomplete }: RunKnowledge,
): MatrixRow {
  const shown = columns.map((column) => STATE_OF_LETTER.get(states[column] ?? NO_JOB_LETTER));
  const outcome = outcomeOf(shown, isOpen);
  // The sample's next jobs never existed.
  const isStopped = outcome === "succeeded" && incomplete?.has(sample) === true;
  return { sample, index, states: shown, outcome: isStopped ? "stopped" : outcome };
}

/** While the run is open, a sample without a job in some step is still waiting for that step. */
function outcomeOf(states: readonly (JobState | undefined)[], isOpen: boolean): SampleOutcome {
  const has = (isOne: (state: JobState) => boolean): boolean =>
    states.some((state) => state !== undefined && isOne(state));
  if (has(isFailed)) return "failed";
  if (has((state) => state === "CANCELED" || state === "CANCELING")) return "stopped";
  if (has((state) => ACTIVE_STATES.includes(state))) return "running";
  return has((state) => state === "QUEUED") || (isOpen && states.includes(undefined)) ? "waiting" : "succeeded";
}

const collator = new Intl.Collator("en", { numeric: true });

function compareRows(a: MatrixRow, b: MatrixRow): number {
  return (
    Number(b.outcome === "failed") - Number(a.outcome === "failed") ||
    (a.index ?? 0) - (b.index ?? 0) ||
    collator.compare(a.sample, b.sample)
  );
}

interface MatrixFilter {
  /** Part of the sample's name. */
  readonly text: string;
  /** "" for all. */
  readonly outcome: string;
}

export function filterRows(rows: readonly MatrixRow[], { text, outcome }: MatrixFilter): readonly MatrixRow[] {
  if (text === "" && outcome === "") return rows;
  const part = text.toLowerCase();
  return rows.filter((row) => (outcome === "" || row.outcome === outcome) && row.sample.toLowerCase().includes(part));
}

/** Number of samples per outcome. */
export function countOutcomes(rows: readonly Pick<MatrixRow, "outcome">[]): ReadonlyMap<SampleOutcome, number> {
  const counts = new Map<SampleOutcome, number>();
  for (const { outcome } of rows) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return counts;
}

/** `3 of 6 samples succeeded, 1 failed, 2 stopped before the end.`; "" without samples. */
export function endsText(rows: readonly Pick<MatrixRow, "outcome">[]): string {
  const counts = countOutcomes(rows);
  const [succeeded = 0, failed = 0] = [counts.get("succeeded"), counts.get("failed")];
  const others = rows.length - succeeded - failed;
  const parts = [
    `${succeeded === 0 ? "None" : numberText(succeeded)} of ${countText(rows.length, "sample")} succeeded`,
    ...(failed === 0 ? [] : [`${numberText(failed)} failed`]),
    ...(others === 0 ? [] : [`${numberText(others)} stopped before the end`]),
  ];
  return rows.length === 0 ? "" : `${parts.join(", ")}.`;
}

/**
 * The samples of jobs in the server's format. If a sample has several jobs in a step, the failed one counts, else the
 * last.
 */
export function samplesOfJobs(
  steps: readonly string[],
  jobs: readonly Pick<JobTimes, "sample" | "step" | "state">[],
): Pick<RunSamples, "steps" | "samples"> {
  const columns = new Map(steps.map((step, place) => [step, place]));
  const letters = new Map<string, string[]>();
  for (const { sample, step, state } of jobs) {
    const column = columns.get(step);
    if (sample === null || column === undefined) continue;
    const own = letters.get(sample) ?? steps.map(() => NO_JOB_LETTER);
    letters.set(sample, own);
    const shown = STATE_OF_LETTER.get(own[column] ?? NO_JOB_LETTER);
    if (shown === undefined || !isFailed(shown)) own[column] = SAMPLE_STATE_LETTERS[state];
  }
  const samples = [...letters].map(([name, own]) => ({ sample_id: name, index: null, states: own.join("") }));
  return { steps, samples };
}

/** Names of selected rows; immutable. */
export type Selection = ReadonlySet<string>;

/** Selects or deselects a row. */
export function toggled(selection: Selection, name: string): Selection {
  const next = new Set(selection);
  if (!next.delete(name)) next.add(name);
  return next;
}

/** Adds all rows between two rows, in display order, to the selection. */
export function withRange(selection: Selection, names: readonly string[], from: number, to: number): Selection {
  return new Set([...selection, ...names.slice(Math.min(from, to), Math.max(from, to) + 1)]);
}

/** Selects all of these rows, or deselects them if all are selected. */
export function withAll(selection: Selection, names: readonly string[]): Selection {
  if (!names.every((name) => selection.has(name))) return new Set([...selection, ...names]);
  const shown = new Set(names);
  return new Set([...selection].filter((name) => !shown.has(name)));
}

/**
 * The samples of a run with their states. The missing outputs of a failed or aborted run show which samples lack steps
 * whose jobs never existed. `isWhole` is true if all of them are known.
 */
export function useMatrix(run: Run) {
  const isOpen = !STATE_LOOKS[run.state].final;
  const samples = useQuery(samplesQuery(run.run_id, isOpen));
  const outputs = useQuery({ ...runOutputsQuery(run.run_id), enabled: run.partial });
  const { data: found } = samples;
  const { data: produced } = outputs;
  const matrix = useMemo(() => {
    const incomplete = new Set(produced?.missing.flatMap(({ sample_id: sample }) => sample ?? []));
    return arrangeMatrix(found ?? NO_SAMPLES, { isOpen, incomplete });
  }, [found, produced, isOpen]);
  const isKnown =
    !run.partial ||
    (produced !== undefined && produced.truncated !== true && produced.missing.length === produced.missing_total);
  return { samples, matrix, isWhole: isKnown && found !== undefined && found.samples.length === found.total };
}
