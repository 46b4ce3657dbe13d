import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Next } from "koa";
import { createLinks } from "@weft/shared/links.ts";
import type { Site } from "../address/host-policy.ts";
import type { Log } from "../log.ts";
import type { Context } from "./context.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

export interface PrepareOptions {
  /** Sites of the requests that the guard has admitted. */
  readonly sites: WeakMap<IncomingMessage, Site>;
  readonly principal: string;
  readonly log: Log;
}

/** The first middleware: gives the request its id, caller and security headers, and logs it when it is answered. */
export function prepareRequest({ sites, principal, log }: PrepareOptions): (ctx: Context, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const site = sites.get(ctx.req);
    if (site === undefined) throw new Error("A request came to Koa around the guard");
    const requestId = randomUUID();
    Object.assign(ctx.state, { requestId, site, caller: { principal, links: createLinks(site.base) } });
    ctx.set({ ...SECURITY_HEADERS, "X-Request-Id": requestId });
    const startedMs = performance.now();
    ctx.res.once("close", () => {
      log({
        level: "debug",
        message: "request",
        request_id: requestId,
        method: ctx.method,
        path: ctx.path,
        status: ctx.status,
        duration_ms: Math.round(performance.now() - startedMs),
      });
    });
    await next();
  };
}
