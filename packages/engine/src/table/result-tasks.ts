import type { RunResults } from "@weft/shared/records/result-record.ts";
import type { RouteQuery, RouteResult } from "@weft/shared/routes/routes.ts";
import { requireVisibleRun } from "../access/visible-runs.ts";
import type { RunRow } from "../journal/rows.ts";
import type { Caller } from "../port/caller.ts";
import { isPartial } from "../present/present-run.ts";
import { presentPortable, presentValues } from "../present/present-values.ts";
import { producedOutputs } from "../present/produced-outputs.ts";
import { pageOfResults } from "../present/result-rows.ts";
import { hashed, type Bytes, type Reading } from "../read/reading.ts";
import { RunLayouts, processOf } from "./run-layouts.ts";
import { SampleTables, type TableQuestion } from "./sample-tables.ts";

const PAGE_SIZE = 100;
const SHOWN_MISSING = 1_000;

type Outputs = RouteResult<"GET /api/runs/{run_id}/outputs">;

/** The outputs of runs as one object, as rows, and as a table. */
export function resultTasks(reading: Reading) {
  const { read } = reading;
  const layouts = new RunLayouts(reading);
  const tables = new SampleTables(reading, layouts);
  return (caller: Caller) => ({
    outputs: async (runId: string): Promise<Bytes> =>
      hashed(JSON.stringify(await outputsOf(caller, requireVisibleRun(read, runId, caller), reading))),
    results: async (runId: string, query: RouteQuery<"GET /api/runs/{run_id}/results">): Promise<RunResults> => {
      const row = requireVisibleRun(read, runId, caller);
      const { from = 0, page_size: size = PAGE_SIZE, q: text = "" } = query;
      const base = { run_id: runId, partial: isPartial(row), from };
      if (row.outputs === null && !base.partial) return { ...base, columns: [], rows: [], total: 0 };
      const { layout, isWhole } = await layouts.of(row);
      const page = pageOfResults(layout, { from, size, text }, caller.links);
      return { ...base, ...page, ...(isWhole ? {} : { truncated: true }) };
    },
    /** A table of samples as JSON, or as a file. */
    table: async (runIds: readonly string[], question: TableQuestion): Promise<Bytes> =>
      hashed(await tables.answer(caller, runIds, question)),
  });
}

/** The published outputs, or else those of the jobs of a failed or aborted run, with a list of missing outputs. */
async function outputsOf({ links }: Caller, row: RunRow, reading: Reading): Promise<Outputs> {
  const { read, limits } = reading;
  const published = row.outputs === null ? null : presentValues(read.blobToShow(row.outputs), links);
  const whole = { run_id: row.runId, outputs: published, partial: false, missing: [], missing_total: 0 };
  if (!isPartial(row)) return whole;
  const process = await processOf(row, reading);
  if (process?.class !== "Workflow") return { ...whole, partial: published !== null };
  const found = await producedOutputs(process, row, { read, limits, mostMissing: SHOWN_MISSING });
  return {
    run_id: row.runId,
    outputs: published ?? presentPortable(found.outputs, links),
    partial: true,
    missing: found.missing,
    missing_total: found.missingTotal,
    ...(found.isWhole ? {} : { truncated: true }),
  };
}
