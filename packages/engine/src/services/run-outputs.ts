import type { Limits } from "@weft/shared/limits.ts";
import type { RouteResult } from "@weft/shared/routes/routes.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { Journal } from "../journal/journal.ts";
import type { RunRow } from "../journal/rows.ts";
import type { Caller } from "../port/engine.ts";
import { isPartial } from "../present/present-run.ts";
import { presentPortable, presentValues } from "../present/present-values.ts";
import { producedOutputs } from "../present/produced-outputs.ts";
import { loadOfRun } from "../catalog/recorded-document.ts";

type RunOutputs = RouteResult<"GET /api/runs/{run_id}/outputs">;

export interface OutputContext {
  readonly journal: Pick<Journal, "read">;
  readonly catalog: Catalog;
  readonly uris: PortableUris;
  readonly limits: Limits;
}

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
  const { process } = (await loadOfRun(row, { journal: { read }, uris: context.uris }, context.catalog)) ?? {};
  if (process?.class !== "Workflow") return { ...whole, partial: published !== null };
  const found = await producedOutputs(process, row, { read, limits: context.limits, mostMissing: SHOWN_MISSING });
  return {
    run_id: row.runId,
    outputs: published ?? presentPortable(found.outputs, caller.links),
    partial: true,
    missing: found.missing,
    missing_total: found.missingTotal,
    ...(found.isWhole ? {} : { truncated: true }),
  };
}

/** The answer for a complete run. */
export function wholeOutputs(runId: string, outputs: RunOutputs["outputs"]): RunOutputs {
  return { run_id: runId, outputs, partial: false, missing: [], missing_total: 0 };
}
