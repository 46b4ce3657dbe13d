import { queryOptions, useQuery } from "@tanstack/react-query";
import { roleIncludes, type Role } from "@weft/shared/records/role.ts";
import type { RunSummary } from "@weft/shared/records/run-record.ts";
import type { Session } from "@weft/shared/records/session-record.ts";
import { api } from "./client.ts";

/** The account and role that the server assigns to this browser. */
export function sessionQuery() {
  return queryOptions({
    queryKey: ["session"] as const,
    queryFn: ({ signal }) => api("GET /api/session", { signal }),
    staleTime: 60_000,
  });
}

interface Rights {
  /** Absent until the server has answered. */
  readonly session: Session | undefined;
  readonly has: (role: Role) => boolean;
  readonly mayAbort: (run: Pick<RunSummary, "owner">) => boolean;
}

/**
 * The permissions of the user. Until the server has answered, everything is offered, because the server refuses what
 * is not allowed.
 */
export function useRights(): Rights {
  const { data: session } = useQuery(sessionQuery());
  const has = (role: Role): boolean =>
    session === undefined || (session.role !== null && roleIncludes(session.role, role));
  return {
    session,
    has,
    mayAbort: ({ owner }) => has("admin") || (has("runner") && owner === session?.principal),
  };
}

/** Signs this browser out. */
export async function signOut(): Promise<void> {
  await api("DELETE /api/session", {});
}
