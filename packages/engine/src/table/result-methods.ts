import type { TableFormat } from "@weft/shared/records/table-record.ts";
import type { HashedText, RouteMethods } from "../port/route-methods.ts";
import { requireVisibleRun } from "../access/visible-runs.ts";
import type { Journal } from "../journal/journal.ts";
import type { Caller } from "../port/caller.ts";
import type { ReadPool } from "../read/read-pool.ts";
import type { resultTasks } from "./result-tasks.ts";
import type { TableQuestion } from "./sample-tables.ts";

interface ResultParts {
  readonly journal: Pick<Journal, "read">;
  readonly reads: ReadPool;
}

const MEDIA_TYPES: Readonly<Record<TableFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  tsv: "text/tab-separated-values; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
};

/** Results of runs. A run that the caller may not see is refused here, where it costs no thread. */
export function resultMethods({ journal: { read }, reads }: ResultParts): RouteMethods {
  const { ask, text } = reads.of<typeof resultTasks>("results");
  const table = async (
    caller: Caller,
    {
      params,
      query,
    }: { readonly params: { readonly run_id: string }; readonly query: { readonly with?: string[] | undefined } },
    question: TableQuestion,
  ): Promise<HashedText> => {
    const visible = [params.run_id, ...(query.with ?? [])].map((id) => requireVisibleRun(read, id, caller).runId);
    return text(caller, "table", [...new Set(visible)], question);
  };
  return {
    "GET /api/runs/{run_id}/outputs": async ({ caller, params: { run_id: runId } }) =>
      text(caller, "outputs", requireVisibleRun(read, runId, caller).runId),
    "GET /api/runs/{run_id}/results": async ({ caller, params: { run_id: runId }, query }) =>
      ask(caller, "results", requireVisibleRun(read, runId, caller).runId, query),
    "GET /api/runs/{run_id}/table/fields": (call) => table(call.caller, call, { what: "fields" }),
    "GET /api/runs/{run_id}/table": (call) => {
      const { fields, from = 0, page_size: size = 1_000 } = call.query;
      return table(call.caller, call, { what: "page", fields, from, size });
    },
    "GET /api/runs/{run_id}/table/export": async (call) => {
      const { fields, format = "csv" } = call.query;
      const { bytes: content } = await table(call.caller, call, { what: "export", fields, format });
      const { name } = requireVisibleRun(read, call.params.run_id, call.caller);
      const title = name.replaceAll(/[^\p{L}\p{N} ._-]/gu, "-").slice(0, 100);
      return { name: `${title}.${format}`, mediaType: MEDIA_TYPES[format], content };
    },
  };
}
