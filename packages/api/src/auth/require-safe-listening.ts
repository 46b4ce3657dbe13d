import type { AuthOptions } from "./auth-options.ts";
import { isLoopbackName } from "../address/require-http-url.ts";
import { ServerConfigurationError } from "../address/server-configuration-error.ts";

export interface ListeningOptions {
  readonly host: string;
  readonly auth: AuthOptions;
  /** True if a reverse proxy in front of the server terminates TLS. */
  readonly behindProxy: boolean;
}

/**
 * Throws ServerConfigurationError for an unsafe listen address. Without a login, anyone who reaches the port can run
 * commands as this account, so that must be requested explicitly. With a login, tokens must not cross a network
 * unencrypted.
 */
export function requireSafeListening({ host, auth, behindProxy }: ListeningOptions): void {
  if (isLoopbackName(host)) return;
  if (auth.mode === "none" && auth.everyone === true) return;
  if (auth.mode === "none") {
    throw new ServerConfigurationError(
      `Other machines can reach ${host}. Without a login, anyone who reaches Weft can run commands as this account. ` +
        "Use --auth token with a reverse proxy that speaks TLS (--behind-proxy), or 127.0.0.1 and a tunnel (ssh -L). " +
        "If that is what you want, as in a container that nobody else reaches, use --let-everybody-in.",
    );
  }
  if (behindProxy) return;
  throw new ServerConfigurationError(
    `Other machines may reach ${host}, and Weft itself speaks plain HTTP: the access token would cross the network in the clear. ` +
      "Put a reverse proxy that speaks TLS in front and use --behind-proxy, or use 127.0.0.1 and a tunnel (ssh -L).",
  );
}
