import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Session } from "@weft/shared/records/session-record.ts";
import type { Identity } from "../http/identity.ts";
import type { Login } from "../auth/login.ts";
import { ok, type Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

/** Signing in and out. */
export function createSessionHandlers({ login, workbench }: ServerParts): Handlers {
  return {
    "GET /api/session": ({ ctx }) => ok(presentSession(ctx.state.identity, { mode: login.mode, workbench })),
    "POST /api/session": async ({ body, ctx }) => {
      const { identity, cookie } = await login.signIn(body, ctx.state.site);
      ctx.state.signedIn = identity;
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

function presentSession(
  identity: Identity | Refusal,
  { mode, workbench }: Pick<Login, "mode"> & Pick<ServerParts, "workbench">,
): Session {
  if (identity instanceof Refusal) return { auth: mode, workbench, principal: null, role: null, expires_at: null };
  const { principal, role, endMs } = identity;
  return {
    auth: mode,
    workbench,
    principal,
    role,
    expires_at: endMs === undefined ? null : new Date(endMs).toISOString(),
  };
}

function requireIdentity(identity: Identity | Refusal): Identity {
  if (identity instanceof Refusal) throw identity;
  return identity;
}
