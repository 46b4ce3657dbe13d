import type { AuditEntry } from "@weft/shared/records/audit-record.ts";
import type { Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

/** The audit log, for admins. */
export function createAuditHandlers({ audit, engine }: ServerParts): Handlers {
  return {
    "GET /api/audit": async ({ caller, query }) => {
      const page = await audit.list(query);
      const runIds = new Set(page.entries.flatMap(runsIn));
      return { status: 200, body: { ...page, run_names: engine.runs.names(caller, [...runIds]) } };
    },
  };
}

const RUN_ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/** IDs of the runs that a request was about or created. */
function runsIn({ path, target }: AuditEntry): readonly string[] {
  return [...`${path} ${target ?? ""}`.matchAll(RUN_ID)].map(([runId]) => runId);
}
