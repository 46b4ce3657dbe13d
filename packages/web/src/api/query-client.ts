import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "@weft/shared/routes/client.ts";

/**
 * `networkMode: "always"`: a machine without a network still reaches its own server. Refusals are final; only a lost
 * connection or a status of 500 and above is retried.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 15_000, networkMode: "always", retry: (count, error) => count < 2 && isTransient(error) },
      mutations: { networkMode: "always" },
    },
  });
}

function isTransient(error: Error): boolean {
  return !(error instanceof ApiError) || error.status >= 500;
}
