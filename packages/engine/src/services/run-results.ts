import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { elementOutputs } from "@weft/cwl/workflow/element-outputs.ts";
import type { RunResults } from "@weft/shared/records/result-record.ts";
import type { RouteQuery } from "@weft/shared/routes/routes.ts";
import { RecentLayouts } from "../present/recent-layouts.ts";
import { layOutRun } from "../present/lay-out-run.ts";
import type { DeclaredOutput } from "../present/lay-out-run.ts";
import { pageOfResults } from "../present/result-rows.ts";
import type { MissingCell, ResultLayout } from "../present/result-rows.ts";
import { isPartial } from "../present/present-run.ts";
import { valuesToShow } from "../present/present-values.ts";
import { loadOfRun } from "../catalog/recorded-document.ts";
import type { RunRow } from "../journal/rows.ts";
import type { Caller } from "../port/engine.ts";
import type { TableRunSource } from "../table/run-rows.ts";
import { producedOutputs } from "../present/produced-outputs.ts";
import type { ReadPool } from "./read/read-pool.ts";
import type { OutputContext } from "./run-outputs.ts";

const PAGE_SIZE = 100;
/** The maximum number of missing values, equal to that of examined jobs. */
const MAX_MISSING = 10_000;
/** Larger outputs are laid out in a thread, to avoid delaying other requests. */
const OUTPUT_BYTES_HERE = 256 * 1024;
const MAX_LAYOUTS = 2;

interface PartialLayout {
  readonly layout: ResultLayout;
  readonly isWhole: boolean;
}

export interface ResultContext extends OutputContext {
  readonly reads: ReadPool;
}

type Query = RouteQuery<"GET /api/runs/{run_id}/results">;

export interface RunResultsService {
  page(caller: Caller, row: RunRow, query: Query): Promise<RunResults>;
  /** The facts about a run that a table needs. */
  tableSource(row: RunRow): Promise<TableRunSource>;
}

/** Serves pages of run outputs as rows. */
export function createRunResults(context: ResultContext): RunResultsService {
  const { read } = context.journal;
  /** Results of failed or aborted runs, assembled from the records of their jobs. */
  const recent = new RecentLayouts<Promise<PartialLayout>>(MAX_LAYOUTS);
  const partialOf = (row: RunRow): Promise<PartialLayout> => {
    const key = `${row.runId} ${row.revision}`;
    const layout = recent.get(key, () => layOutPartial(row, context));
    layout.catch(() => recent.forget(key));
    return layout;
  };
  const page: RunResultsService["page"] = async (caller, row, query) => {
    const { from = 0, page_size: size = PAGE_SIZE, q: text = "" } = query;
    const pageRequest = { from, size, text };
    const base = { run_id: row.runId, partial: isPartial(row), from };
    if (base.partial) {
      const { layout, isWhole } = await partialOf(row);
      return { ...base, ...pageOfResults(layout, pageRequest, caller.links), ...(isWhole ? {} : { truncated: true }) };
    }
    if (row.outputs === null) return { ...base, columns: [], rows: [], total: 0 };
    const declared = declaredOutputs(await processOf(row, context));
    if (read.blobBytes(row.outputs) > OUTPUT_BYTES_HERE)
      return { ...base, ...(await context.reads.ask(caller, "results", row.runId, declared, pageRequest)) };
    const outputs = valuesToShow(read.blobToShow(row.outputs));
    return { ...base, ...pageOfResults(layOutRun(row.runId, { outputs, declared }, read), pageRequest, caller.links) };
  };
  return {
    page,
    tableSource: async (row) => {
      const process = await processOf(row, context);
      const layout = isPartial(row) ? (await partialOf(row)).layout : undefined;
      return { runId: row.runId, declared: declaredOutputs(process), defaults: defaultsOf(process), layout };
    },
  };
}

async function processOf(row: RunRow, { journal: { read }, uris, catalog }: OutputContext) {
  return (await loadOfRun(row, { journal: { read }, uris }, catalog))?.process;
}

function declaredOutputs(process: Process | undefined): readonly DeclaredOutput[] {
  if (process === undefined) return [];
  const elements = process.class === "Workflow" ? elementOutputs(process) : undefined;
  return process.outputs.map(({ id, label }) => ({ id, label, elements: elements?.get(id) }));
}

function defaultsOf(process: Process | undefined): CwlObject {
  const inputs = process?.inputs ?? [];
  return Object.fromEntries(inputs.flatMap(({ id, default: value }) => (value === undefined ? [] : [[id, value]])));
}

async function layOutPartial(row: RunRow, context: OutputContext): Promise<PartialLayout> {
  const { read } = context.journal;
  const process = await processOf(row, context);
  const declared = declaredOutputs(process);
  const published = row.outputs === null ? undefined : valuesToShow(read.blobToShow(row.outputs));
  if (process?.class !== "Workflow")
    return { layout: layOutRun(row.runId, { outputs: published ?? {}, declared }, read), isWhole: true };
  const found = await producedOutputs(process, row, { read, limits: context.limits, mostMissing: MAX_MISSING });
  const missing = found.missing.map(({ output, index, sample_id: sampleId, step, job_id, state }): MissingCell => ({
    output,
    index,
    sampleId,
    why: { step, job_id, state },
  }));
  const outputs = published ?? found.outputs;
  return { layout: layOutRun(row.runId, { outputs, declared, missing }, read), isWhole: found.isWhole };
}
