/** The rate of requests of one kind that a client may send, on average and in a burst. */
export interface Rate {
  /** 0: unlimited. */
  readonly perSecond: number;
  readonly burst: number;
}

export interface RateLimiterOptions extends Rate {
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * Maximum number of clients to remember. The client that was idle longest is forgotten first; it then has a full bucket
 * again.
 */
const MAX_CLIENTS = 10_000;

/** A bucket of tokens per client: it gains `perSecond` tokens a second, up to `burst`, and every request takes one. */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: RateLimiterOptions) {
    this.#options = options;
  }

  /** Seconds, rounded up, until the client's next request is accepted; 0: this one is. */
  take(client: string): number {
    const { perSecond } = this.#options;
    if (perSecond === 0) return 0;
    const bucket = this.#fill(client);
    if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perSecond);
    bucket.tokens -= 1;
    return 0;
  }

  #fill(client: string): Bucket {
    const { perSecond, burst, now } = this.#options;
    const atMs = now();
    const known = this.#buckets.get(client) ?? { tokens: burst, atMs };
    const tokens = Math.min(burst, known.tokens + ((atMs - known.atMs) / 1000) * perSecond);
    const bucket = { tokens, atMs };
    // Reinsert it, so that the map is in the order of the last requests.
    this.#buckets.delete(client);
    this.#buckets.set(client, bucket);
    const [quietest] = this.#buckets.keys();
    if (quietest !== undefined && this.#buckets.size > MAX_CLIENTS) this.#buckets.delete(quietest);
    return bucket;
  }
}
