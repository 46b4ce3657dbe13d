import { queryOptions } from "@tanstack/react-query";
import type { Prune, PruneReport } from "@weft/shared/records/storage-record.ts";
import { api } from "./client.ts";

/** What a removal would free, and what would be kept and why; read anew each time, for runs go on meanwhile. */
export function prunePlanQuery(body: Prune) {
  return queryOptions({
    queryKey: ["prune-plan", body] as const,
    queryFn: ({ signal }): Promise<PruneReport> => api("POST /api/prune", { query: { dry_run: "true" }, body, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

/** Removes it. Answers when all is done. */
export async function prune(body: Prune): Promise<PruneReport> {
  return api("POST /api/prune", { body });
}
