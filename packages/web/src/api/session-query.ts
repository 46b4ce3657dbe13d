import { useQuery } from "@tanstack/react-query";
import { roleIncludes, type Role } from "@weft/shared/records/role.ts";
import type { RunSummary } from "@weft/shared/records/run-record.ts";
import type { Session } from "@weft/shared/records/session-record.ts";
import { switchAccount } from "./account.ts";
import { api } from "./client.ts";
import { routeQuery } from "./route-query.ts";

/** The account and role that the server assigns to this browser. */
export const sessionQuery = () => ({ ...routeQuery("GET /api/session"), queryFn: readSession, staleTime: 60_000 });

async function readSession(): Promise<Session> {
  const session = await api("GET /api/session", {});
  const { auth, principal } = session;
  if (principal !== null && switchAccount(auth === "none" ? null : principal)) location.reload();
  return session;
}

/** Version, machine, queue and counters of the server; no event says how busy the machine is. */
export const serverQuery = () => ({ ...routeQuery("GET /api/server"), refetchInterval: 10_000 });

interface Rights {
  /** The session; absent until the server has answered. */
  readonly session: Session | undefined;
  readonly has: (role: Role) => boolean;
  readonly mayAbort: (run: Pick<RunSummary, "owner">) => boolean;
}

/**
 * The permissions of the user. Until the server has answered, everything is offered, because the server refuses
 * forbidden requests.
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
