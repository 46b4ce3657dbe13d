import type { QueryClient, QueryFilters } from "@tanstack/react-query";

/**
 * Reads the matching records again. A first read may still be waiting for an answer that the server gave before the change.
 * TanStack Query does not repeat that read, and takes its answer for fresh, so the record is read again. Never rejects.
 */
export async function readAgain(cache: QueryClient, filters: QueryFilters = {}): Promise<void> {
  const first = cache
    .getQueryCache()
    .findAll(filters)
    .filter(({ state }) => state.data === undefined && state.fetchStatus !== "idle");
  const all = cache.invalidateQueries(filters);
  const again = first.map(async (query) => {
    // During a read, this returns the promise of that read.
    await query.fetch().catch(() => {});
    await cache.invalidateQueries({ queryKey: query.queryKey, exact: true });
  });
  await Promise.all([all, ...again]);
}
