import type { Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

/** Removal of files that are no longer needed. */
export function createStorageHandlers({ engine }: ServerParts): Pick<Handlers, "POST /api/prune"> {
  return {
    "POST /api/prune": async ({ caller, query, body }) => ({
      status: 200,
      body: await engine.storage.prune(caller, body, query.dry_run === true),
    }),
  };
}
