import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorCard } from "./error-card.tsx";
import { Skeleton } from "./skeleton.tsx";

export interface QueryViewProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;
  readonly children: (data: Data) => ReactNode;
  readonly rows?: number;
}

/** Renders a query: placeholder, error with Retry, or the data (even if stale). */
export function QueryView<Data>({ query, children, rows }: QueryViewProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error !== null) return <ErrorCard error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton rows={rows ?? 6} />;
}
