import { Refusal } from "@weft/shared/records/refusal.ts";
import { hashedAnswer } from "../http/hashed-answer.ts";
import { isForm } from "../forms/read-form.ts";
import type { Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";
import { presentTask, presentWesRun, presentWesService, presentWesSummary } from "../ga4gh/present-wes.ts";
import { receiveWesRun } from "../ga4gh/receive-wes-run.ts";

type WesHandlers = Pick<Handlers, Extract<keyof Handlers, `${string} /ga4gh/wes/${string}`>>;

const LARGEST_PAGE = 500;
const DEFAULT_PAGE = 50;

/** GA4GH WES 1.1 over the same calls of the engine. */
export function createWesHandlers({ engine }: ServerParts): WesHandlers {
  const { runs } = engine;
  return {
    "GET /ga4gh/wes/v1/service-info": async ({ caller }) => ({
      status: 200,
      body: presentWesService(await engine.serverInfo(caller), caller.links),
    }),
    "GET /ga4gh/wes/v1/runs": ({ caller, query }) => {
      const page = runs.list(caller, { ...pageOf(query), state: query.state });
      const summaries = page.runs.filter((run) => typeof run !== "string");
      return { status: 200, body: { runs: summaries.map(presentWesSummary), next_page_token: page.next_page_token } };
    },
    "POST /ga4gh/wes/v1/runs": async ({ caller, ctx }) => {
      if (!isForm(ctx)) throw new Refusal("unsupported-media-type", "A run is asked for by multipart/form-data");
      if (engine.draining) throw new Refusal("draining", "The server is shutting down and accepts no new runs");
      const body = await receiveWesRun(ctx, engine);
      const { run } = await runs.create(caller, { body, idempotencyKey: undefined });
      return { status: 200, body: { run_id: run.run_id } };
    },
    "GET /ga4gh/wes/v1/runs/{run_id}": async ({ caller, params }) => {
      const { omitted, ...run } = runs.get(caller, params.run_id);
      const body = presentWesRun(run, caller.links);
      if (omitted?.inputs_bytes === undefined && omitted?.outputs_bytes === undefined) return { status: 200, body };
      const inputs = omitted.inputs_bytes === undefined ? {} : { inputs: ["request", "workflow_params"] };
      const outputs = omitted.outputs_bytes === undefined ? {} : { outputs: ["outputs"] };
      return hashedAnswer(await runs.filled(caller, run.run_id, body, { ...inputs, ...outputs }));
    },
    "GET /ga4gh/wes/v1/runs/{run_id}/status": ({ caller, params }) => {
      const { run_id, state } = runs.status(caller, params.run_id);
      return { status: 200, body: { run_id, state } };
    },
    "POST /ga4gh/wes/v1/runs/{run_id}/cancel": async ({ caller, params }) => {
      const { run_id } = await runs.abort(caller, params.run_id, 0);
      return { status: 200, body: { run_id } };
    },
    "GET /ga4gh/wes/v1/runs/{run_id}/tasks": ({ caller, params, query }) => {
      const { jobs, next_page_token } = runs.jobs(caller, params.run_id, pageOf(query));
      return { status: 200, body: { task_logs: jobs.map((job) => presentTask(job, caller.links)), next_page_token } };
    },
    "GET /ga4gh/wes/v1/runs/{run_id}/tasks/{task_id}": ({ caller, params }) => ({
      status: 200,
      body: presentTask(runs.job(caller, params.run_id, params.task_id), caller.links),
    }),
  };
}

/** The standard lets a service send fewer than were asked for. */
function pageOf({
  page_size = DEFAULT_PAGE,
  page_token,
}: {
  readonly page_size?: number | undefined;
  readonly page_token?: string | undefined;
}): { readonly page_size: number; readonly page_token: string | undefined } {
  return { page_size: Math.min(page_size, LARGEST_PAGE), page_token };
}
