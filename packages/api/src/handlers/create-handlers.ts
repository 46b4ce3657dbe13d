import { Refusal } from "@weft/shared/records/refusal.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import { routes, type RouteId } from "@weft/shared/routes/routes.ts";
import type { BoundRoute, Handlers, UntypedHandler } from "../http/route-handler.ts";
import { createCatalogHandlers } from "./catalog-handlers.ts";
import { deriveHandler } from "./derive-handler.ts";
import { createDraftHandlers } from "./draft-handlers.ts";
import { createEventHandlers } from "./event-handlers.ts";
import { createFileHandlers } from "./file-handlers.ts";
import { createRunHandlers } from "./run-handlers.ts";
import { createServerHandlers } from "./server-handlers.ts";
import type { ServerParts } from "./server-parts.ts";
import { createSessionHandlers } from "./session-handlers.ts";
import { createTrsHandlers } from "./trs-handlers.ts";
import { createWesHandlers } from "./wes-handlers.ts";

/** Every route that this server answers: with a handler of its own, or with a method of the engine. */
export function createHandlers(parts: ServerParts): BoundRoute[] {
  const written = writtenHandlers(parts);
  const { methods } = parts.engine;
  return Object.entries<RouteDeclaration>(routes).flatMap(([key, declaration]) => {
    // Object.entries widens the keys of the table to string.
    const id = key as RouteId;
    if (written[id] === undefined && methods[id] === undefined) return [];
    // `Handlers` ties each handler to the types of its route; iterating over the table loses that connection.
    const handle = (written[id] as UntypedHandler | undefined) ?? deriveHandler(id, declaration, methods);
    return [{ id, declaration, handle: parts.workbench || !isWorkbench(id) ? handle : refuseWorkbench }];
  });
}

function writtenHandlers(parts: ServerParts): Handlers {
  return {
    ...createCatalogHandlers(parts),
    ...createDraftHandlers(parts),
    ...createRunHandlers(parts),
    ...createFileHandlers(parts),
    ...createEventHandlers(parts),
    ...createServerHandlers(parts),
    ...createSessionHandlers(parts),
    ...createWesHandlers(parts),
    ...createTrsHandlers(parts),
  };
}

/** True if a route writes or reads drafts; everyone may read the documents of the catalog. */
function isWorkbench(id: RouteId): boolean {
  return /^\w+ \/api\/draft|^POST \/api\/(?:upgrades|commits)$/.test(id);
}

function refuseWorkbench(): never {
  throw new Refusal("not-found", "The workbench of this server is off (--no-workbench).");
}
