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

/** Jobs of a run that are looked at, at most. */
const MOST_JOBS = 10_000;
const SHOWN_MISSING = 1_000;

/**
 * The outputs of a run. One that failed or was aborted has those that were published, or else what its jobs have
 * produced, and lists what is missing: nothing but the log says so, and nothing is written.
 */
export async function runOutputs(caller: Caller, row: RunRow, context: OutputContext): Promise<RunOutputs> {
  const { read } = context.journal;
  const published = row.outputs === null ? null : presentValues(read.blobToShow(row.outputs), caller.links);
  const whole = wholeOutputs(row.runId, published);
  if (!isPartial(row)) return whole;
  const process = (await loadBegun(row, { journal: { read }, uris: context.uris }, context.catalog))?.process;
  if (process?.class !== "Workflow") return { ...whole, partial: published !== null };
  const rows = read.callsOfRun(row.runId, MOST_JOBS + 1);
  const found = await produced(process, { row, rows: rows.slice(0, MOST_JOBS) }, context);
  const missing = found.missing.slice(0, SHOWN_MISSING);
  return {
    run_id: row.runId,
    outputs: published ?? presentPortable(found.outputs, caller.links),
    partial: true,
    missing: presentMissing(process, missing, rows),
    missing_total: found.missing.length,
    ...(found.isWhole && rows.length <= MOST_JOBS ? {} : { truncated: true }),
  };
}

/** The answer for a run of which nothing is missing. */
export function wholeOutputs(runId: string, outputs: RunOutputs["outputs"]): RunOutputs {
  return { run_id: runId, outputs, partial: false, missing: [], missing_total: 0 };
}

interface RecordedRun {
  readonly row: RunRow;
  readonly rows: readonly CallOfRun[];
}

/** Reads only the outputs of steps that outputs of the workflow come from, up to the size of an output object. */
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
  const found = partialOutputs(workflow, { inputs, calls, limits, mostPlaces: MOST_JOBS });
  return left > 0 ? found : { ...found, isWhole: false };
}

/** With what is known of the job at that place, or of an earlier one that works on the same element. */
function presentMissing(
  workflow: Workflow,
  missing: readonly MissingValue[],
  rows: readonly CallOfRun[],
): MissingOutput[] {
  const jobs = new Map<string, CallOfRun>();
  for (const row of rows) {
    jobs.set(keyOf(row.step, row.scatterIndex), row);
    // Of the jobs of one element, one that failed says most about why others are missing.
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

/** A key for all jobs of one element of the outermost step. */
function rootKey(step: string | undefined, [first]: readonly number[]): string {
  return `/${step ?? ""} ${first ?? ""}`;
}
