import type { HttpPolicy } from "./http-policy.ts";

/** How the web is asked. */
export interface HttpSettings {
  readonly policy: HttpPolicy;
  /** Until there is a connection. */
  readonly connectTimeoutMs: number;
  /** Between two signs of life of the server. */
  readonly idleTimeoutMs: number;
  /** Where the proxy is named. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export const DEFAULT_TIMEOUTS = { connectTimeoutMs: 15_000, idleTimeoutMs: 60_000 } as const;
