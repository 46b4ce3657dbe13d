import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Workflow } from "@weft/cwl/model/process.ts";
import { stepsOfElements } from "@weft/cwl/workflow/block-dependents.ts";
import { outputSteps, partialOutputs } from "@weft/cwl/workflow/partial-outputs.ts";
import type { MissingValue, PartialOutputs, RecordedCall } from "@weft/cwl/workflow/partial-outputs.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { MissingOutput } from "@weft/shared/records/run-record.ts";
import type { RouteResult } from "@weft/shared/routes/routes.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { Turns } from "../async/give-way.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { Journal } from "../journal/journal.ts";
import type { LogReader } from "../journal/log-reader.ts";
import { BEFORE_FIRST } from "../journal/read-jobs.ts";
import type { CallOfRun } from "../journal/read-jobs.ts";
import type { RunRow } from "../journal/rows.ts";
import type { Caller } from "../port/engine.ts";
import { isPartial } from "../present/present-run.ts";
import { presentPortable, presentValues, valuesToShow } from "../present/present-values.ts";
import { loadBegun } from "../runs/begin/load-begun.ts";

type RunOutputs = RouteResult<"GET /api/runs/{run_id}/outputs">;

export interface OutputContext {
  readonly journal: Pick<Journal, "read">;
  readonly catalog: Catalog;
  readonly uris: PortableUris;
  readonly limits: Limits;
}

/** Maximum number of examined jobs of a run. */
const MAX_JOBS = 10_000;
const JOBS_OF_A_PART = 1000;
const SHOWN_MISSING = 1_000;

/**
 * The outputs of a run. A failed or aborted run has those that were published, or else what its jobs produced, and
 * lists what is missing. Computed from the log; writes nothing.
 */
export async function runOutputs(caller: Caller, row: RunRow, context: OutputContext): Promise<RunOutputs> {
  const { read } = context.journal;
  const published = row.outputs === null ? null : presentValues(read.blobToShow(row.outputs), caller.links);
  const whole = wholeOutputs(row.runId, published);
  if (!isPartial(row)) return whole;
  const { process } = (await loadBegun(row, { journal: { read }, uris: context.uris }, context.catalog)) ?? {};
  if (process?.class !== "Workflow") return { ...whole, partial: published !== null };
  const found = await producedOutputs(process, row, { context, mostMissing: SHOWN_MISSING });
  return {
    run_id: row.runId,
    outputs: published ?? presentPortable(found.outputs, caller.links),
    partial: true,
    missing: found.missing,
    missing_total: found.missingTotal,
    ...(found.isWhole ? {} : { truncated: true }),
  };
}

/** What the jobs of a run have produced, with portable locations. */
interface ProducedOutputs {
  readonly outputs: CwlObject;
  readonly missing: MissingOutput[];
  readonly missingTotal: number;
  readonly isWhole: boolean;
}

export async function producedOutputs(
  workflow: Workflow,
  row: RunRow,
  { context, mostMissing }: { readonly context: OutputContext; readonly mostMissing: number },
): Promise<ProducedOutputs> {
  const rows = await firstCalls(row.runId, context.journal.read);
  const found = await produced(workflow, { row, rows: rows.slice(0, MAX_JOBS) }, context);
  return {
    outputs: found.outputs,
    missing: presentMissing(workflow, found.missing.slice(0, mostMissing), rows),
    missingTotal: found.missing.length,
    isWhole: found.isWhole && rows.length <= MAX_JOBS,
  };
}

/** In parts, so that each turn of the event loop stays short; one part more than MAX_JOBS at most. */
async function firstCalls(runId: string, read: LogReader): Promise<readonly CallOfRun[]> {
  const turns = new Turns();
  turns.begin();
  const calls: CallOfRun[] = [];
  for (;;) {
    const part = read.callsOfRun(runId, calls.at(-1)?.n ?? BEFORE_FIRST, JOBS_OF_A_PART);
    calls.push(...part);
    if (part.length < JOBS_OF_A_PART || calls.length > MAX_JOBS) return calls;
    // eslint-disable-next-line no-await-in-loop -- see above
    await turns.giveWay();
  }
}

/** The answer for a complete run. */
export function wholeOutputs(runId: string, outputs: RunOutputs["outputs"]): RunOutputs {
  return { run_id: runId, outputs, partial: false, missing: [], missing_total: 0 };
}

interface RecordedRun {
  readonly row: RunRow;
  readonly rows: readonly CallOfRun[];
}

/** Reads only the outputs of steps that workflow outputs refer to, up to the size of an output object. */
async function produced(
  workflow: Workflow,
  { row, rows }: RecordedRun,
  { journal: { read }, limits }: OutputContext,
): Promise<PartialOutputs> {
  const wanted = outputSteps(workflow);
  const turns = new Turns();
  turns.begin();
  let left = limits.outputObjectBytes;
  const calls: RecordedCall[] = [];
  for (const { step, scatterIndex, outputs } of rows) {
    const text = outputs !== null && left > 0 && wanted.has(step) ? read.blobToShow(outputs) : undefined;
    left -= text?.length ?? 0;
    calls.push({ step, scatterIndex, outputs: text === undefined ? undefined : valuesToShow(text) });
    // eslint-disable-next-line no-await-in-loop -- each turn of the event loop stays short
    await turns.giveWay();
  }
  const inputs = valuesToShow(read.blobToShow(row.inputs));
  const found = partialOutputs(workflow, { inputs, calls, limits, mostPlaces: MAX_JOBS });
  return left > 0 ? found : { ...found, isWhole: false };
}

/** Including what is known about the job at that place, or about an earlier one for the same element. */
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
