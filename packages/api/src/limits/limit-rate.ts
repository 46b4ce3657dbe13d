import type { Next } from "koa";
import type { Context } from "../http/context.ts";
import type { RateLimits } from "./rate-limits.ts";

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Refuses with `too-many-requests` if a client exceeds its rate. */
export function limitRate(limits: RateLimits): (ctx: Context, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const refusal = limits.refusalOf(READS.has(ctx.method) ? "reads" : "writes", ctx.state);
    if (refusal !== undefined) throw refusal;
    return next();
  };
}
