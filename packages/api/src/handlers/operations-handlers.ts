import type { Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

type OperationsHandlers = Pick<
  Handlers,
  | "GET /api/server/queue"
  | "GET /api/server/load"
  | "GET /api/server/backends"
  | "GET /api/server/disk"
  | "GET /api/server/checks"
>;

const USUAL_HOURS = 6;

/** Information for the operators of a server. */
export function createOperationsHandlers({ engine: { operations }, examine }: ServerParts): OperationsHandlers {
  return {
    "GET /api/server/queue": ({ caller, query }) => ({ status: 200, body: operations.queue(caller, query) }),
    "GET /api/server/load": async ({ caller, query }) => ({
      status: 200,
      body: await operations.load(caller, query.hours ?? USUAL_HOURS),
    }),
    "GET /api/server/backends": ({ caller }) => ({ status: 200, body: operations.backends(caller) }),
    "GET /api/server/disk": async ({ caller, query }) => ({ status: 200, body: await operations.disk(caller, query) }),
    "GET /api/server/checks": async () => ({ status: 200, body: await examine() }),
  };
}
