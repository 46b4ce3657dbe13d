import type { HttpPolicy } from "./http-policy.ts";

/** Settings for HTTP requests. */
export interface HttpSettings {
  readonly policy: HttpPolicy;
  /** Time limit for establishing a connection. */
  readonly connectTimeoutMs: number;
  /** Time limit between two signs of life from the server. */
  readonly idleTimeoutMs: number;
  /** Environment that names the proxy. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export const DEFAULT_TIMEOUTS = { connectTimeoutMs: 15_000, idleTimeoutMs: 60_000 } as const;
