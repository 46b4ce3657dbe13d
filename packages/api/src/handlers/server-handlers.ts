import type { Caller } from "@weft/engine/port/caller.ts";
import { changesSince } from "@weft/shared/records/contract-change.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { FINAL_STATES } from "@weft/shared/records/state-names.ts";
import type { RouteBody } from "@weft/shared/routes/routes.ts";
import { METRICS_MEDIA_TYPE, writeMetrics } from "../metrics/write-metrics.ts";
import { checkOrigin } from "../guard/check-origin.ts";
import { ok, type Handlers, type JsonAnswer, type RouteRequest } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";
import type { AuditEntry } from "@weft/shared/records/audit-record.ts";

/** Information about the server, its audit log, and its shutdown. */
export function createServerHandlers(parts: ServerParts): Handlers {
  const { engine } = parts;
  return {
    "GET /api/server": async ({ caller, query: { client_version: version } }) => {
      const changes = version === undefined ? [] : [...changesSince(version)];
      return ok({ ...(await engine.serverInfo(caller)), changes });
    },
    "GET /metrics": async ({ caller }) => {
      const content = writeMetrics(parts.metrics, await engine.serverInfo({ ...caller, othersRuns: "visible" }));
      return { status: 200, mediaType: METRICS_MEDIA_TYPE, content, headers: {} };
    },
    "GET /api/audit": async ({ caller, query }) => {
      const page = await parts.audit.list(query);
      const runIds = new Set(page.entries.flatMap(runsIn));
      return ok({ ...page, run_names: engine.runs.names(caller, [...runIds]) });
    },
    "POST /shutdown": (request) => shutDown(parts, request),
    "GET /api/server/checks": async () => ok(await parts.examine()),
    "GET /healthz": () => ok({ status: "ok" }),
    "GET /readyz": () => {
      if (engine.draining) throw new Refusal("draining", "The server is shutting down");
      if (engine.storageProblem === "failed")
        throw new Refusal("storage-failed", "The disk of the state folder has failed");
      return ok({ status: "ready" });
    },
  };
}

/** Stops the server. A later `cancel` may shorten a drain; a second drain has no effect. */
async function shutDown(
  parts: ServerParts,
  { caller, ctx, body: { mode } }: RouteRequest<"POST /shutdown">,
): Promise<JsonAnswer<"POST /shutdown">> {
  const foreign = checkOrigin(ctx.headers, ctx.state.site, "page");
  if (foreign !== undefined) throw foreign;
  if (parts.engine.draining && mode === "drain") throw new Refusal("draining", "The server is already shutting down");
  const runsOpen = await countOpenRuns(caller, parts);
  ctx.res.once("close", () => void stop(parts, mode));
  return { status: 202, body: { mode, runs_open: runsOpen } };
}

async function countOpenRuns(caller: Caller, { engine }: ServerParts): Promise<number> {
  const { run_counts: counts } = await engine.serverInfo(caller);
  const final: readonly string[] = FINAL_STATES;
  return Object.entries(counts).reduce((sum, [state, count]) => (final.includes(state) ? sum : sum + count), 0);
}

async function stop(
  { engine, log, onShutdown }: ServerParts,
  mode: RouteBody<"POST /shutdown">["mode"],
): Promise<void> {
  log("info", "Shutting down", { mode });
  await engine.stop(mode).catch((error: unknown) => {
    log("error", "The engine did not stop cleanly", { error: String(error) });
  });
  onShutdown();
}

const RUN_ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/** IDs of the runs that a request was about or created. */
function runsIn({ path, target }: AuditEntry): readonly string[] {
  return [...`${path} ${target ?? ""}`.matchAll(RUN_ID)].map(([runId]) => runId);
}
