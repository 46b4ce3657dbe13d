import type { QueryClient, QueryFilters } from "@tanstack/react-query";

/**
 * Reads the matching records again. A first read may still be waiting for an answer that the server gave before the change.
 * TanStack Query does not repeat that read, and takes its answer for fresh, so the record is read once more. Never rejects.
 */
export async function readAgain(cache: QueryClient, filters: QueryFilters = {}): Promise<void> {
  const first = cache
    .getQueryCache()
    .findAll(filters)
    .filter(({ state }) => state.data === undefined && state.fetchStatus !== "idle");
  const once = cache.invalidateQueries(filters);
  const onceMore = first.map(async (query) => {
    // While a read goes on, this answers with its promise.
    await query.fetch().catch(() => {});
    await cache.invalidateQueries({ queryKey: query.queryKey, exact: true });
  });
  await Promise.all([once, ...onceMore]);
}
