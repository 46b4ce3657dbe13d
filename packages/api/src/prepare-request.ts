import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Next } from "koa";
import type { Login } from "./auth/login.ts";
import type { Arrival } from "./guard/admit-request.ts";
import { callerOf, type Grants } from "./auth/caller-of.ts";
import type { Log } from "@weft/engine/log.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { Context } from "./http/context.ts";
import { SECURITY_HEADERS } from "./http/security-headers.ts";

export interface PrepareOptions extends Grants {
  /** The arrivals of the requests that the guard has admitted. */
  readonly arrivals: WeakMap<IncomingMessage, Arrival>;
  readonly login: Login;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** The first middleware: gives the request its id, caller and security headers, and logs and counts it when it is answered. */
export function prepareRequest(options: PrepareOptions): (ctx: Context, next: Next) => Promise<void> {
  const { arrivals, login, log, metrics } = options;
  return async (ctx, next) => {
    const arrival = arrivals.get(ctx.req);
    if (arrival === undefined) throw new Error("A request reached Koa without passing the guard");
    const requestId = randomUUID();
    Object.assign(ctx.state, { requestId, ...arrival });
    const identity = await login.identify(ctx.headers);
    const caller = callerOf(identity, arrival.site.base, options);
    Object.assign(ctx.state, { identity, caller });
    ctx.set({ ...SECURITY_HEADERS, "X-Request-Id": requestId });
    const startedMs = performance.now();
    ctx.res.once("close", () => {
      const durationMs = performance.now() - startedMs;
      const { method, status } = ctx;
      metrics.observe({ method, route: ctx.state.route ?? "other", status, seconds: durationMs / 1000 });
      log("debug", "request", {
        request_id: requestId,
        method,
        path: ctx.path,
        status,
        duration_ms: Math.round(durationMs),
      });
    });
    await next();
  };
}
