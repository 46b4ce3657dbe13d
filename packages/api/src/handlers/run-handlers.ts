import type { OmittedValues, Run } from "@weft/shared/records/run-record.ts";
import type { ValuePlaces } from "@weft/engine/port/engine.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { leavingOrClosing } from "../http/leaving-or-closing.ts";
import { ok, type Handlers, type JsonAnswer, type RouteAnswerOf, type RouteRequest } from "../http/route-handler.ts";
import { knownRevision, runEntityTag } from "../http/entity-tag.ts";
import type { ServerParts } from "./server-parts.ts";
import { receiveUpload } from "../files/receive-upload.ts";

/** The time for which DELETE waits for the proof that all processes of the run have ended. */
const ABORT_WAIT_MS = 5_000;
const LONGEST_WAIT_S = 60;

/** Runs that start, arrive as crates, are watched or end. */
export function createRunHandlers(parts: ServerParts): Handlers {
  const { runs, drafts, provenance } = parts.engine;
  return {
    "POST /api/runs": async ({ caller, query, headers, body, fingerprint }) => {
      if (query.dry_run === true) return ok(await runs.plan(caller, body));
      const idempotencyKey = unquoted(headers["idempotency-key"]);
      return startedAnswer(await runs.create(caller, { body, idempotencyKey, fingerprint }));
    },
    "GET /api/runs/{run_id}": (request) => readRun(parts, request),
    "POST /api/runs/{run_id}/retry": async ({ caller, params, query, headers, body }) => {
      if (query.dry_run === true) return ok(await runs.planRetry(caller, params.run_id, body));
      const idempotencyKey = unquoted(headers["idempotency-key"]);
      return startedAnswer(await runs.retry(caller, params.run_id, { body, idempotencyKey }));
    },
    "GET /api/runs/{run_id}/status": (request) => readStatus(parts, request),
    "DELETE /api/runs/{run_id}": async ({ caller, params }) => {
      const status = await runs.abort(caller, params.run_id, ABORT_WAIT_MS);
      if (isFinal(status.state)) return { status: 204, body: undefined };
      return { status: 202, body: status, headers: { Location: caller.links.runStatus(params.run_id) } };
    },
    "POST /api/drafts/{draft_id}/runs": async ({ caller, params, headers, revision, body }) => {
      const idempotencyKey = unquoted(headers["idempotency-key"]);
      return startedAnswer(await drafts.run(caller, params.draft_id, { body, idempotencyKey, revision }));
    },
    "POST /api/provenance/crates": async ({ caller, ctx }) => {
      const run = await receiveUpload(ctx, (content) => provenance.importCrate(caller, { kind: "zip", content }));
      return startedAnswer({ run, replayed: false });
    },
  };
}

/** Reads a run; a thread builds the text of a record with large values. */
async function readRun(
  { engine: { runs } }: ServerParts,
  { caller, params, query }: RouteRequest<"GET /api/runs/{run_id}">,
): Promise<RouteAnswerOf<"GET /api/runs/{run_id}">> {
  const { omitted, ...run } = runs.get(caller, params.run_id);
  const entityTag = runEntityTag(run.run_id, run.revision);
  if (query.view !== "full") {
    const { sample_names: _names, ...short } = run;
    return { status: 200, body: omitted === undefined ? short : { ...short, omitted }, entityTag };
  }
  if (omitted === undefined) return { status: 200, body: run, entityTag };
  const { bytes } = await runs.filled(caller, run.run_id, run, placesOf(omitted));
  return { status: 200, json: bytes, entityTag };
}

function placesOf({ inputs_bytes: inputs, outputs_bytes: outputs, placed_bytes: placed }: OmittedValues): ValuePlaces {
  return {
    ...(inputs === undefined ? {} : { inputs: ["inputs"] }),
    ...(outputs === undefined ? {} : { outputs: ["outputs"] }),
    ...(placed === undefined ? {} : { placed: ["placed"] }),
  };
}

function startedAnswer({ run, replayed }: { readonly run: Run; readonly replayed: boolean }) {
  const headers = { Location: run.url, ...(replayed ? { "Idempotency-Replayed": "true" } : {}) };
  return { status: 201, body: run, headers, entityTag: runEntityTag(run.run_id, run.revision) } as const;
}

/** The key without quotation marks, which make it a structured-field string. */
function unquoted(key: string | undefined): string | undefined {
  return key === undefined ? undefined : (/^"(.+)"$/.exec(key)?.[1] ?? key);
}

async function readStatus(
  parts: ServerParts,
  { caller, params, ctx }: RouteRequest<"GET /api/runs/{run_id}/status">,
): Promise<JsonAnswer<"GET /api/runs/{run_id}/status">> {
  const { runs } = parts.engine;
  const before = runs.status(caller, params.run_id);
  const waitS = preferredWait(ctx.get("Prefer"));
  if (waitS === undefined) return statusAnswer(before, {});
  const revision = knownRevision(ctx.get("If-None-Match"), params.run_id) ?? before.revision;
  if (!isFinal(before.state))
    await runs.waitForChange(caller, params.run_id, {
      revision,
      timeoutMs: waitS * 1000,
      signal: leavingOrClosing(ctx, parts.closing),
    });
  return statusAnswer(runs.status(caller, params.run_id), { "Preference-Applied": `wait=${waitS}` });
}

/** Seconds that a client is willing to wait, from `Prefer: wait=30` (RFC 7240), at most 60; undefined if it does not say. */
export function preferredWait(prefer: string): number | undefined {
  const wait = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(prefer)?.[1];
  return wait === undefined ? undefined : Math.min(Number(wait), LONGEST_WAIT_S);
}

function statusAnswer(
  status: ReturnType<ServerParts["engine"]["runs"]["status"]>,
  headers: Readonly<Record<string, string>>,
): JsonAnswer<"GET /api/runs/{run_id}/status"> {
  return { status: 200, body: status, headers, entityTag: runEntityTag(status.run_id, status.revision) };
}
