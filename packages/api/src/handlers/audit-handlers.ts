import type { Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

/** The audit log, for admins. */
export function createAuditHandlers({ audit }: ServerParts): Pick<Handlers, "GET /api/audit"> {
  return { "GET /api/audit": async ({ query }) => ({ status: 200, body: await audit.list(query) }) };
}
