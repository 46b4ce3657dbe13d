import { isIPv4 } from "node:net";
import { ServerConfigurationError } from "./server-configuration-error.ts";

/** Throws ServerConfigurationError unless it is an https URL, or an http URL of this machine. */
export function requireHttpUrl(what: string, text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackName(url.hostname))) return url;
  throw new ServerConfigurationError(`${what} must be an https address, not ${JSON.stringify(text)}`);
}

/** True if a host in a URL is certainly this machine. */
export function isLoopbackName(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
}
