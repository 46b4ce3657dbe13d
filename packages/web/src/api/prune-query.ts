import { queryOptions } from "@tanstack/react-query";
import type { Prune, PruneReport } from "@weft/shared/records/storage-record.ts";
import { api } from "./client.ts";

/** What a deletion would free, what it would keep, and why; never cached, because runs continue meanwhile. */
export function prunePlanQuery(body: Prune) {
  return queryOptions({
    queryKey: ["prune-plan", body] as const,
    queryFn: ({ signal }): Promise<PruneReport> => api("POST /api/prune", { query: { dry_run: "true" }, body, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

/** Deletes the files. Resolves when all are deleted. */
export async function prune(body: Prune): Promise<PruneReport> {
  return api("POST /api/prune", { body });
}
