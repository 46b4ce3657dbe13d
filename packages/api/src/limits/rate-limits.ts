import { Refusal } from "@weft/shared/records/refusal.ts";
import type { RequestState } from "../http/context.ts";
import { RateLimiter, type Rate } from "./rate-limiter.ts";

/** Rates of one client: a signed-in principal, otherwise an address. */
export interface RequestRates {
  /** The rate of GET, HEAD and OPTIONS requests, and of opening WebSockets. */
  readonly reads: Rate;
  readonly writes: Rate;
}

/** The rates for servers that other users can reach. */
export const DEFAULT_RATES: RequestRates = {
  reads: { perSecond: 200, burst: 400 },
  writes: { perSecond: 10, burst: 50 },
};

/** No limits, for servers that accept only their own account, which could slow down only itself. */
export const NO_RATES: RequestRates = { reads: { perSecond: 0, burst: 0 }, writes: { perSecond: 0, burst: 0 } };

/** The buckets of all clients, one for reads and one for writes: requests and upgrades share them. */
export class RateLimits {
  readonly #limiters: { readonly reads: RateLimiter; readonly writes: RateLimiter };

  constructor({ reads, writes }: RequestRates) {
    const now = () => performance.now();
    this.#limiters = { reads: new RateLimiter({ ...reads, now }), writes: new RateLimiter({ ...writes, now }) };
  }

  /** A refusal `too-many-requests` with the seconds to wait in Retry-After; undefined: the request is accepted. */
  refusalOf(
    kind: keyof RequestRates,
    { identity, client }: Pick<RequestState, "identity" | "client">,
  ): Refusal | undefined {
    const whose = identity instanceof Refusal ? `address ${client}` : `principal ${identity.principal}`;
    const waitS = this.#limiters[kind].take(whose);
    if (waitS === 0) return undefined;
    return new Refusal("too-many-requests", `Too many requests; send the next one in ${waitS} s`, {
      headers: { "Retry-After": String(waitS) },
    });
  }
}
