import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Session } from "@weft/shared/records/session-record.ts";
import type { Identity, Login } from "../auth/login.ts";
import type { Handlers } from "../routing/route-handler.ts";
import type { ServerParts } from "../server-parts.ts";

type SessionHandlers = Pick<
  Handlers,
  "GET /api/session" | "POST /api/session" | "DELETE /api/session" | "POST /api/events/tickets"
>;

/** Signing in and out. */
export function createSessionHandlers({ login }: ServerParts): SessionHandlers {
  return {
    "GET /api/session": ({ ctx }) => ({ status: 200, body: presentSession(ctx.state.identity, login) }),
    "POST /api/session": ({ body, ctx }) => {
      const cookie = login.signIn(body, ctx.state.site);
      return { status: 204, body: undefined, ...(cookie === undefined ? {} : { headers: { "Set-Cookie": cookie } }) };
    },
    "DELETE /api/session": ({ ctx }) => ({
      status: 204,
      body: undefined,
      headers: { "Set-Cookie": login.signOut(ctx.state.site) },
    }),
    "POST /api/events/tickets": ({ ctx }) => {
      const { ticket, endMs } = login.issueTicket(requireIdentity(ctx.state.identity));
      return { status: 201, body: { ticket, expires_at: new Date(endMs).toISOString() } };
    },
  };
}

function presentSession(identity: Identity | Refusal, { mode }: Login): Session {
  if (identity instanceof Refusal) return { auth: mode, principal: null, expires_at: null };
  const { principal, sessionEndMs } = identity;
  return {
    auth: mode,
    principal,
    expires_at: sessionEndMs === undefined ? null : new Date(sessionEndMs).toISOString(),
  };
}

function requireIdentity(identity: Identity | Refusal): Identity {
  if (identity instanceof Refusal) throw identity;
  return identity;
}
