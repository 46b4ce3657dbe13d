import { isIPv4 } from "node:net";
import { ServerConfigurationError } from "./server-configuration-error.ts";

/**
 * Throws ServerConfigurationError unless `host` can only be reached from this machine: without a login, whoever reaches
 * the port runs commands as this account.
 */
export function requireLoopback(host: string): void {
  if (isLoopback(host)) return;
  throw new ServerConfigurationError(
    `Weft has no login yet and therefore does not listen on ${host}, which other machines may reach. ` +
      "Use 127.0.0.1 and a tunnel (ssh -L) or a reverse proxy that asks for a login.",
  );
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}
