import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";

export const serverKey = ["server"] as const;

/** Version, machine, queue and counters of the server. */
export function serverQuery() {
  return queryOptions({
    queryKey: serverKey,
    queryFn: ({ signal }) => api("GET /api/server", { signal }),
    refetchInterval: 10_000,
  });
}
