import { queryOptions } from "@tanstack/react-query";
import type { TableFormat, TablePage, TableRow } from "@weft/shared/records/table-record.ts";
import { basePath } from "../base-path.ts";
import { api } from "../client.ts";
import { routeQuery } from "../route-query.ts";

const PAGE_SIZE = 5000;
/** Drops a table soon after it is hidden, because it is large. */
const FORGET_MS = 60_000;

/** All rows of a table. */
export type WholeTable = Omit<TablePage, "from" | "total">;

/** The possible columns of a table of these runs. `stamp` changes with the runs. */
export function tableFieldsQuery([first = "", ...others]: readonly string[], stamp: string) {
  const request = { params: { run_id: first }, query: { with: others.join(",") } };
  return {
    ...routeQuery("GET /api/runs/{run_id}/table/fields", request, stamp),
    gcTime: FORGET_MS,
    staleTime: Number.POSITIVE_INFINITY,
  };
}

export function tableQuery(runIds: readonly string[], fields: readonly string[], stamp: string) {
  return queryOptions({
    queryKey: ["table", runIds.join(","), fields.join(","), stamp] as const,
    queryFn: ({ signal }) => readTable(runIds, fields, signal),
    placeholderData: (before, query) => (query?.queryKey[1] === runIds.join(",") ? before : undefined),
    gcTime: FORGET_MS,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

async function readTable(
  [first = "", ...others]: readonly string[],
  fields: readonly string[],
  signal: AbortSignal,
): Promise<WholeTable> {
  const rows: TableRow[] = [];
  for (;;) {
    // Only an answer says how many rows there are.
    // eslint-disable-next-line no-await-in-loop
    const page = await api("GET /api/runs/{run_id}/table", {
      params: { run_id: first },
      query: { with: others.join(","), fields: fields.join(","), from: rows.length, page_size: PAGE_SIZE },
      signal,
    });
    rows.push(...page.rows);
    if (rows.length >= page.total || page.rows.length === 0) return { ...page, rows };
  }
}

/** The address of a table as a file. */
export function tableFileUrl(
  [first = "", ...others]: readonly string[],
  fields: readonly string[],
  format: TableFormat,
): string {
  const query = new URLSearchParams({ format });
  if (others.length > 0) query.set("with", others.join(","));
  if (fields.length > 0) query.set("fields", fields.join(","));
  return `${basePath}/api/runs/${first}/table/export?${query.toString()}`;
}
