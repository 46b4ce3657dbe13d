import { z } from "zod";
import { queryIdSchema, saveQuerySchema } from "../records/dataset-record.ts";
import { serverEvent } from "./event-parts.ts";

/** Events about saved queries of datasets. */
export const QUERY_EVENTS = [
  // The log refuses this event unless the revision is the next one and the name is free in the network.
  serverEvent("query.saved", z.object({ query_id: queryIdSchema, revision: z.int().min(1), ...saveQuerySchema.shape })),
  serverEvent("query.removed", z.object({ query_id: queryIdSchema })),
] as const;
