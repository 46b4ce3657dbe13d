import { Refusal } from "@weft/shared/records/refusal.ts";
import { auditedRequest } from "../audit/audit-requests.ts";
import { hashedAnswer } from "../http/entity-tag.ts";
import { ok, type Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";
import {
  presentTask,
  presentWesRun,
  presentWesService,
  presentWesSummary,
  wesRunErrors,
} from "../ga4gh/present-wes.ts";
import { receiveWesRun } from "../ga4gh/receive-wes-run.ts";

const FAILED = ["EXECUTOR_ERROR", "SYSTEM_ERROR"] as const;
const SHOWN_FAILURES = 20;
const LARGEST_PAGE = 500;
const DEFAULT_PAGE = 50;

/** GA4GH WES 1.1 through the same calls of the engine. */
export function createWesHandlers({ engine, audit }: ServerParts): Handlers {
  const { runs } = engine;
  return {
    "GET /ga4gh/wes/v1/service-info": async ({ caller, ctx }) =>
      ok(presentWesService(await engine.serverInfo(caller), caller.links, !(ctx.state.identity instanceof Refusal))),
    "GET /ga4gh/wes/v1/runs": ({ caller, query }) => {
      const page = runs.list(caller, { ...pageOf(query), state: query.state, archived: "all" });
      const summaries = page.runs.filter((run) => typeof run !== "string");
      return ok({ runs: summaries.map(presentWesSummary), next_page_token: page.next_page_token });
    },
    "POST /ga4gh/wes/v1/runs": async ({ caller, ctx }) => {
      const received = await receiveWesRun(ctx, engine, (digest) =>
        // A separate entry in the audit log: the document stays, even if the run is refused.
        audit.accepted({ ...auditedRequest(ctx), action: "addWesDocument", status: 201, target: targetOf(digest) }),
      );
      const { run } = await runs.create(caller, { ...received, idempotencyKey: undefined });
      return ok({ run_id: run.run_id });
    },
    "GET /ga4gh/wes/v1/runs/{run_id}": async ({ caller, params }) => {
      const { omitted, ...run } = runs.get(caller, params.run_id);
      const body = presentWesRun(run, caller.links);
      if (omitted?.inputs_bytes === undefined && omitted?.outputs_bytes === undefined) return ok(body);
      const inputs = omitted.inputs_bytes === undefined ? {} : { inputs: ["request", "workflow_params"] };
      const outputs = omitted.outputs_bytes === undefined ? {} : { outputs: ["outputs"] };
      return hashedAnswer(await runs.filled(caller, run.run_id, body, { ...inputs, ...outputs }));
    },
    "GET /ga4gh/wes/v1/runs/{run_id}/stderr": ({ caller, params }) => {
      const failed = { state: [...FAILED], page_size: SHOWN_FAILURES, page_token: undefined };
      const content = wesRunErrors(runs.get(caller, params.run_id), runs.jobs(caller, params.run_id, failed).jobs);
      return { status: 200, mediaType: "text/plain; charset=utf-8", content, headers: {} };
    },
    "GET /ga4gh/wes/v1/runs/{run_id}/status": ({ caller, params }) => {
      const { run_id, state } = runs.status(caller, params.run_id);
      return ok({ run_id, state });
    },
    "POST /ga4gh/wes/v1/runs/{run_id}/cancel": async ({ caller, params }) => {
      const { run_id } = await runs.abort(caller, params.run_id, 0);
      return ok({ run_id });
    },
    "GET /ga4gh/wes/v1/runs/{run_id}/tasks": ({ caller, params, query }) => {
      const { jobs, next_page_token } = runs.jobs(caller, params.run_id, pageOf(query));
      return ok({ task_logs: jobs.map((job) => presentTask(job, caller.links)), next_page_token });
    },
    "GET /ga4gh/wes/v1/runs/{run_id}/tasks/{task_id}": ({ caller, params }) =>
      ok(presentTask(runs.job(caller, params.run_id, params.task_id), caller.links)),
  };
}

function targetOf(digest: string): string {
  return `/api/wes-documents/${digest}`;
}

/** The standard allows a service to send fewer than requested. */
function pageOf({
  page_size = DEFAULT_PAGE,
  page_token,
}: {
  readonly page_size?: number | undefined;
  readonly page_token?: string | undefined;
}): { readonly page_size: number; readonly page_token: string | undefined } {
  return { page_size: Math.min(page_size, LARGEST_PAGE), page_token };
}
