import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Workflow } from "@weft/cwl/model/process.ts";
import { stepsOfElements } from "@weft/cwl/workflow/block-dependents.ts";
import {
  outputSteps,
  partialOutputs,
  type MissingValue,
  type PartialOutputs,
  type RecordedCall,
} from "@weft/cwl/workflow/partial-outputs.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { MissingOutput } from "@weft/shared/records/run-record.ts";
import { giveWay } from "../async/give-way.ts";
import type { LogReader } from "../journal/log-reader.ts";
import { BEFORE_FIRST, type CallOfRun } from "../journal/read-jobs.ts";
import type { RunRow } from "../journal/rows.ts";
import { valuesToShow } from "./present-values.ts";

/** Maximum number of jobs examined per run. */
const MAX_JOBS = 10_000;
const JOBS_OF_A_PART = 1000;

/** The outputs of the jobs of a run, with portable locations. */
export interface ProducedOutputs {
  readonly outputs: CwlObject;
  readonly missing: MissingOutput[];
  readonly missingTotal: number;
  readonly isWhole: boolean;
}

interface ProducedOptions {
  readonly read: LogReader;
  readonly limits: Limits;
  /** Maximum number of missing values to list. */
  readonly mostMissing: number;
}

export async function producedOutputs(
  workflow: Workflow,
  row: RunRow,
  { read, limits, mostMissing }: ProducedOptions,
): Promise<ProducedOutputs> {
  const rows = await firstCalls(row.runId, read);
  const found = await produced(workflow, { row, rows: rows.slice(0, MAX_JOBS) }, { read, limits });
  return {
    outputs: found.outputs,
    missing: presentMissing(workflow, found.missing.slice(0, mostMissing), rows),
    missingTotal: found.missing.length,
    isWhole: found.isWhole && rows.length <= MAX_JOBS,
  };
}

/** Reads the calls in parts, so that each turn of the event loop stays short; at most one part more than MAX_JOBS. */
async function firstCalls(runId: string, read: LogReader): Promise<readonly CallOfRun[]> {
  const calls: CallOfRun[] = [];
  for (;;) {
    const part = read.callsOfRun(runId, calls.at(-1)?.n ?? BEFORE_FIRST, JOBS_OF_A_PART);
    calls.push(...part);
    if (part.length < JOBS_OF_A_PART || calls.length > MAX_JOBS) return calls;
    // eslint-disable-next-line no-await-in-loop -- see above
    await giveWay();
  }
}

interface RecordedRun {
  readonly row: RunRow;
  readonly rows: readonly CallOfRun[];
}

/** Reads only the outputs of steps that workflow outputs refer to, up to the size of an output object. */
async function produced(
  workflow: Workflow,
  { row, rows }: RecordedRun,
  { read, limits }: Pick<ProducedOptions, "read" | "limits">,
): Promise<PartialOutputs> {
  const wanted = outputSteps(workflow);
  let left = limits.outputObjectBytes;
  const calls: RecordedCall[] = [];
  for (const { step, scatterIndex, outputs } of rows) {
    const text = outputs !== null && left > 0 && wanted.has(step) ? read.blobToShow(outputs) : undefined;
    left -= text?.length ?? 0;
    calls.push({ step, scatterIndex, outputs: text === undefined ? undefined : valuesToShow(text) });
    // eslint-disable-next-line no-await-in-loop -- each turn of the event loop stays short
    await giveWay();
  }
  const inputs = valuesToShow(read.blobToShow(row.inputs));
  const found = partialOutputs(workflow, { inputs, calls, limits, mostPlaces: MAX_JOBS });
  return left > 0 ? found : { ...found, isWhole: false };
}

/** The missing outputs, each with the facts about its job, or about an earlier job for the same element. */
function presentMissing(
  workflow: Workflow,
  missing: readonly MissingValue[],
  rows: readonly CallOfRun[],
): MissingOutput[] {
  if (missing.length === 0) return [];
  const jobs = new Map<string, CallOfRun>();
  for (const row of rows) {
    jobs.set(keyOf(row.step, row.scatterIndex), row);
    // If an element has several jobs, a failed one best explains why others are missing.
    const root = rootKey(row.step.split("/", 1)[0], row.scatterIndex);
    const known = jobs.get(root);
    if (known === undefined || known.state === "COMPLETE") jobs.set(root, row);
  }
  return missing.map(({ output, step, scatterIndex }) => {
    const [root = step] = step.split("/", 1);
    const related = [root, ...stepsOfElements(workflow, root)].map((id) => jobs.get(rootKey(id, scatterIndex)));
    const known = [jobs.get(keyOf(step, scatterIndex)), ...related].filter((job) => job !== undefined);
    const blamed = known.find(({ state }) => state !== "COMPLETE");
    return {
      output,
      step,
      index: [...scatterIndex],
      sample_id: known.find(({ sampleId }) => sampleId !== null)?.sampleId ?? null,
      job_id: blamed?.jobId ?? null,
      state: blamed?.state ?? null,
    };
  });
}

function keyOf(step: string, index: readonly number[]): string {
  return `${step} ${index.join(",")}`;
}

/** A key shared by all jobs of one element of the outermost step. */
function rootKey(step: string | undefined, [first]: readonly number[]): string {
  return `/${step ?? ""} ${first ?? ""}`;
}
