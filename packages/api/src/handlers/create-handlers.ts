import type { Handlers } from "../http/route-handler.ts";
import { createTrsHandlers } from "./trs-handlers.ts";
import { createWesHandlers } from "./wes-handlers.ts";
import { createAutomationHandlers } from "./automation-handlers.ts";
import { createArchiveHandlers } from "./archive-handlers.ts";
import { createAuditHandlers } from "./audit-handlers.ts";
import { createCatalogHandlers } from "./catalog-handlers.ts";
import { createDraftGroupHandlers } from "./draft-group-handlers.ts";
import { createDatasetHandlers } from "./dataset-handlers.ts";
import { createDraftHandlers } from "./draft-handlers.ts";
import { createEventHandlers } from "./event-handlers.ts";
import { createExportHandlers } from "./export-handlers.ts";
import { createFileHandlers } from "./file-handlers.ts";
import { createInsightHandlers } from "./insight-handlers.ts";
import { createOperationsHandlers } from "./operations-handlers.ts";
import { createProvenanceHandlers } from "./provenance-handlers.ts";
import { createReviewHandlers } from "./review-handlers.ts";
import { createRunHandlers } from "./run-handlers.ts";
import { createServerHandlers } from "./server-handlers.ts";
import { createSessionHandlers } from "./session-handlers.ts";
import { createStorageHandlers } from "./storage-handlers.ts";
import { createSubscriptionHandlers } from "./subscription-handlers.ts";
import { createTableHandlers } from "./table-handlers.ts";
import type { ServerParts } from "./server-parts.ts";

/** The handlers of all routes. */
export function createHandlers(parts: ServerParts): Handlers {
  return {
    ...createCatalogHandlers(parts),
    ...createDraftHandlers(parts),
    ...createDraftGroupHandlers(parts),
    ...createExportHandlers(parts),
    ...createDatasetHandlers(parts),
    ...createRunHandlers(parts),
    ...createTableHandlers(parts),
    ...createReviewHandlers(parts),
    ...createInsightHandlers(parts),
    ...createProvenanceHandlers(parts),
    ...createFileHandlers(parts),
    ...createArchiveHandlers(parts),
    ...createEventHandlers(parts),
    ...createServerHandlers(parts),
    ...createOperationsHandlers(parts),
    ...createAuditHandlers(parts),
    ...createSessionHandlers(parts),
    ...createStorageHandlers(parts),
    ...createSubscriptionHandlers(parts),
    ...createAutomationHandlers(parts),
    ...createWesHandlers(parts),
    ...createTrsHandlers(parts),
  };
}
