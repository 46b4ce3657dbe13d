import type { Next } from "koa";
import { Refusal, type ProblemCode } from "@weft/shared/records/refusal.ts";
import type { Log } from "@weft/engine/log.ts";
import type { Context } from "./context.ts";
import { describeProblem, PROBLEM_MEDIA_TYPE } from "./describe-problem.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

interface ProblemOptions {
  readonly log: Log;
  /** Maximum number of errors listed in one answer. */
  readonly maxErrors: number;
}

/**
 * The one place that turns failures into responses: refusals as they are, everything else as 500, with the stack in the log
 * and no details in the response.
 */
export function problemMiddleware({ log, maxErrors }: ProblemOptions): (ctx: Context, next: Next) => Promise<void> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      answerProblem(ctx, asRefusal(error, ctx, log), maxErrors);
    }
  };
}

function answerProblem(ctx: Context, refusal: Refusal, maxErrors: number): void {
  if (ctx.headerSent || !ctx.writable) {
    ctx.res.destroy();
    return;
  }
  const { site, requestId } = ctx.state;
  ctx.state.refusedAs = refusal.code;
  const problem = describeProblem(refusal, { base: site.base, requestId, instance: ctx.path, maxErrors });
  for (const name of Object.keys(ctx.response.headers)) ctx.remove(name);
  ctx.set({ ...SECURITY_HEADERS, ...problem.headers, "X-Request-Id": requestId });
  ctx.status = problem.status;
  ctx.body = problem.text;
  ctx.set("Content-Type", problem.headers["Content-Type"] ?? PROBLEM_MEDIA_TYPE);
}

function asRefusal(error: unknown, ctx: Context, log: Log): Refusal {
  if (error instanceof Refusal) return error;
  const { requestId } = ctx.state;
  const request = { request_id: requestId, method: ctx.method, path: ctx.path };
  if (ctx.req.socket.destroyed) {
    log("debug", "The client left before its answer", request);
    return new Refusal("malformed-request", "The connection ended");
  }
  const code = clientFault(error);
  if (code !== undefined) return new Refusal(code, "The request cannot be answered");
  log("error", "A request failed", { ...request, error: stackOf(error) });
  return new Refusal("internal-error", `The server log has details under the request ID ${requestId}`);
}

/** Third-party middleware (static files) throws http-errors: `status` and `expose` say that the request is at fault. */
function clientFault(error: unknown): ProblemCode | undefined {
  if (!(error instanceof Error) || !("expose" in error) || error.expose !== true || !("status" in error))
    return undefined;
  return error.status === 403 || error.status === 404 ? "not-found" : "malformed-request";
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? error.message;
  return error.cause === undefined ? text : `${text}\ncaused by: ${stackOf(error.cause)}`;
}
