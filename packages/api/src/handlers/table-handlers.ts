import type { TableFormat } from "@weft/shared/records/table-record.ts";
import { FILE_HEADERS } from "../files/file-answer.ts";
import { hashedAnswer } from "../http/hashed-answer.ts";
import type { ContentAnswer, Handlers, RouteRequest } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

type TableHandlers = Pick<
  Handlers,
  "GET /api/runs/{run_id}/table/fields" | "GET /api/runs/{run_id}/table" | "GET /api/runs/{run_id}/table/export"
>;

const PAGE_SIZE = 1_000;

const MEDIA_TYPES: Readonly<Record<TableFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  tsv: "text/tab-separated-values; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
};

/** Results of a cohort as a table. */
export function createTableHandlers({ engine: { runs } }: ServerParts): TableHandlers {
  return {
    "GET /api/runs/{run_id}/table/fields": async ({ caller, params, query }) =>
      hashedAnswer(await runs.table(caller, [params.run_id, ...(query.with ?? [])], { what: "fields" })),
    "GET /api/runs/{run_id}/table": async ({ caller, params, query }) => {
      const { fields, from = 0, page_size: size = PAGE_SIZE } = query;
      const question = { what: "page", fields, from, size } as const;
      return hashedAnswer(await runs.table(caller, [params.run_id, ...(query.with ?? [])], question));
    },
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
