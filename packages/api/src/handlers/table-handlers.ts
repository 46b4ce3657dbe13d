import type { TableFormat } from "@weft/shared/records/table-record.ts";
import { FILE_HEADERS } from "../files/file-answer.ts";
import type { ContentAnswer, Handlers, RouteRequest } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

const MEDIA_TYPES: Readonly<Record<TableFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  tsv: "text/tab-separated-values; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
};

/** Results of a cohort as a table. */
export function createTableHandlers({ engine: { runs } }: ServerParts): Handlers {
  return {
    "GET /api/runs/{run_id}/table/export": (request) => exportTable(runs, request),
  };
}

async function exportTable(
  runs: ServerParts["engine"]["runs"],
  { caller, params, query, ctx }: RouteRequest<"GET /api/runs/{run_id}/table/export">,
): Promise<ContentAnswer> {
  const { fields, format = "csv" } = query;
  const runIds = [params.run_id, ...(query.with ?? [])] as const;
  const { bytes } = await runs.table(caller, runIds, { what: "export", fields, format });
  const name = runs.names(caller, [params.run_id])[params.run_id] ?? params.run_id;
  ctx.attachment(`${name.replaceAll(/[^\p{L}\p{N} ._-]/gu, "-").slice(0, 100)}.${format}`);
  const headers = { ...FILE_HEADERS, "Cache-Control": "no-store", "Accept-Ranges": "none" };
  return { status: 200, mediaType: MEDIA_TYPES[format], content: ctx.method === "HEAD" ? null : bytes, headers };
}
