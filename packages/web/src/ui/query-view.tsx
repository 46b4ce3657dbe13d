import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorCard } from "./error-card.tsx";
import { Skeleton } from "./skeleton.tsx";

export interface QueryViewProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;
  readonly children: (data: Data) => ReactNode;
  readonly rows?: number;
}

/** The one way to show what is read from the server: place holder, error with Retry, or the data (also when stale). */
export function QueryView<Data>({ query, children, rows }: QueryViewProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error !== null) return <ErrorCard error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton rows={rows ?? 6} />;
}
