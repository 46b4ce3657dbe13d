import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { elementOutputs } from "@weft/cwl/workflow/element-outputs.ts";
import { readRecorded } from "../catalog/recorded-document.ts";
import type { RunRow } from "../journal/rows.ts";
import { isPartial } from "../present/present-run.ts";
import { valuesToShow } from "../present/present-values.ts";
import { producedOutputs } from "../present/produced-outputs.ts";
import { Recent } from "../async/recent.ts";
import { layOutResults, type MissingCell, type ResultLayout, type ResultOutput } from "../present/result-rows.ts";
import type { Reading } from "../read/reading.ts";

/** The maximum number of missing values, equal to that of examined jobs. */
const MAX_MISSING = 10_000;
/** A layout is as large as the outputs of its run. */
const MAX_LAYOUTS = 2;

export interface RunLayout {
  readonly layout: ResultLayout;
  /** False if a failed run has more jobs than were examined. */
  readonly isWhole: boolean;
  /** Values of inputs without a value in the run. */
  readonly defaults: CwlObject;
}

/** The outputs of runs as rows. Keeps the last ones, whose pages are requested one after the other. */
export class RunLayouts {
  readonly #reading: Reading;
  readonly #recent = new Recent<Promise<RunLayout>>(MAX_LAYOUTS);

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  of(row: RunRow): Promise<RunLayout> {
    const key = `${row.runId} ${row.revision}`;
    const layout = this.#recent.get(key) ?? this.#recent.set(key, layOut(row, this.#reading));
    layout.catch(() => this.#recent.forget(key));
    return layout;
  }
}

/** The process of a run as recorded; undefined if it cannot be read any more. */
export async function processOf(row: RunRow, { read, roots: { uris } }: Reading): Promise<Process | undefined> {
  return (await readRecorded(row, { read, uris }))?.process;
}

async function layOut(row: RunRow, reading: Reading): Promise<RunLayout> {
  const { read, limits } = reading;
  const process = await processOf(row, reading);
  const declared = declaredOutputs(process, (step) => read.elementSamples(row.runId, step));
  const defaults = defaultsOf(process);
  const published = row.outputs === null ? undefined : valuesToShow(read.blobToShow(row.outputs));
  if (!isPartial(row) || process?.class !== "Workflow")
    return { layout: layOutResults({ outputs: published ?? {}, declared }), isWhole: true, defaults };
  const found = await producedOutputs(process, row, { read, limits, mostMissing: MAX_MISSING });
  const missing = found.missing.map(({ output, index, sample_id: sampleId, step, job_id, state }): MissingCell => ({
    ...{ output, index, sampleId },
    why: { step, job_id, state },
  }));
  const outputs = published ?? found.outputs;
  return { layout: layOutResults({ outputs, declared, missing }), isWhole: found.isWhole, defaults };
}

/** The outputs with the samples that the jobs of their elements were queued for. */
function declaredOutputs(
  process: Process | undefined,
  samplesOf: (step: string) => ReadonlyMap<number, string>,
): readonly ResultOutput[] {
  if (process === undefined) return [];
  const steps = process.class === "Workflow" ? elementOutputs(process) : undefined;
  return process.outputs.map(({ id, label }) => {
    const found = steps?.get(id);
    return { id, label, samples: found && (found.isOfOneElement ? samplesOf(found.step) : new Map()) };
  });
}

function defaultsOf(process: Process | undefined): CwlObject {
  const inputs = process?.inputs ?? [];
  return Object.fromEntries(inputs.flatMap(({ id, default: value }) => (value === undefined ? [] : [[id, value]])));
}
