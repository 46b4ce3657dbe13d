import type { Handlers } from "../routing/route-handler.ts";
import { createTrsHandlers } from "../ga4gh/trs-handlers.ts";
import { createWesHandlers } from "../ga4gh/wes-handlers.ts";
import { createAuditHandlers } from "./audit-handlers.ts";
import { createCatalogHandlers } from "./catalog-handlers.ts";
import { createEventHandlers } from "./event-handlers.ts";
import { createFileHandlers } from "./file-handlers.ts";
import { createRunHandlers } from "./run-handlers.ts";
import { createServerHandlers } from "./server-handlers.ts";
import { createSessionHandlers } from "./session-handlers.ts";
import type { ServerParts } from "../server-parts.ts";

/** The handlers of all routes. */
export function createHandlers(parts: ServerParts): Handlers {
  return {
    ...createCatalogHandlers(parts),
    ...createRunHandlers(parts),
    ...createFileHandlers(parts),
    ...createEventHandlers(parts),
    ...createServerHandlers(parts),
    ...createAuditHandlers(parts),
    ...createSessionHandlers(parts),
    ...createWesHandlers(parts),
    ...createTrsHandlers(parts),
  };
}
