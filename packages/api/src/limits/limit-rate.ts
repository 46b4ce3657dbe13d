import type { Next } from "koa";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context } from "../http/context.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { Rate } from "./rate-limiter.ts";

/** Rates of one client: a principal that has signed in, else an address. */
export interface RequestRates {
  /** GET, HEAD and OPTIONS. */
  readonly reads: Rate;
  readonly writes: Rate;
}

/** Where others can reach the server. */
export const DEFAULT_RATES: RequestRates = {
  reads: { perSecond: 200, burst: 400 },
  writes: { perSecond: 10, burst: 50 },
};

/** Where only the account that runs it is answered: it would hold up nobody but itself. */
export const NO_RATES: RequestRates = { reads: { perSecond: 0, burst: 0 }, writes: { perSecond: 0, burst: 0 } };

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Refuses `too-many-requests` with the seconds to wait in Retry-After. */
export function limitRate({ reads, writes }: RequestRates): (ctx: Context, next: Next) => Promise<void> {
  const now = () => performance.now();
  const limiters = { reads: new RateLimiter({ ...reads, now }), writes: new RateLimiter({ ...writes, now }) };
  return async (ctx, next) => {
    const kind = READS.has(ctx.method) ? "reads" : "writes";
    const waitS = limiters[kind].take(clientOf(ctx));
    if (waitS > 0)
      throw new Refusal("too-many-requests", `More requests came than are taken; the next one is in ${waitS} s`, {
        headers: { "Retry-After": String(waitS) },
      });
    await next();
  };
}

function clientOf(ctx: Context): string {
  const { identity, client } = ctx.state;
  return identity instanceof Refusal ? `address ${client}` : `principal ${identity.principal}`;
}
