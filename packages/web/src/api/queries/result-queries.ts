import { queryOptions } from "@tanstack/react-query";
import type { ResultRow, RunResults } from "@weft/shared/records/result-record.ts";
import { api } from "../client.ts";
import { routeKey, routeQuery } from "../route-query.ts";

/** Number of rows per request. */
export const RESULT_PAGE = 50;
/** Drops hidden pages, because a run may have very many. */
const FORGET_MS = 60_000;

/** The outputs of a run as rows; `page` counts from 0. */
export function resultsQuery(runId: string, { text, page }: { readonly text: string; readonly page: number }) {
  const query = { from: page * RESULT_PAGE, page_size: RESULT_PAGE, q: text };
  return { ...routeQuery("GET /api/runs/{run_id}/results", { params: { run_id: runId }, query }), gcTime: FORGET_MS };
}

/** Number of pages read only for the names of their samples. */
const NAMED_PAGES = 5;
const NAMED_PAGE = 200;

/**
 * The samples of the elements of outputs, by position and output (`2 masks`), as far as they are among the first rows.
 */
export function sampleNamesQuery(runId: string) {
  return queryOptions({
    queryKey: routeKey("GET /api/runs/{run_id}/results", { params: { run_id: runId } }, "sample names"),
    queryFn: ({ signal }) => readSampleNames(runId, signal),
    gcTime: FORGET_MS,
    structuralSharing: false,
  });
}

async function readSampleNames(runId: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (let page = 0; page < NAMED_PAGES; page += 1) {
    // The next page is known only after this one. eslint-disable-next-line no-await-in-loop
    const { rows, total } = await api("GET /api/runs/{run_id}/results", {
      params: { run_id: runId },
      query: { from: page * NAMED_PAGE, page_size: NAMED_PAGE },
      signal,
    });
    for (const { sample_id: sample, cells } of rows)
      for (const { output, index } of cells)
        if (sample !== null && index !== undefined) names.set(`${index} ${output}`, sample);
    if ((page + 1) * NAMED_PAGE >= total) break;
  }
  return names;
}

/** The row with a number, from the page that contains it. */
export function rowOfResults(results: RunResults | undefined, number: number): ResultRow | undefined {
  return results?.rows[number - results.from];
}
