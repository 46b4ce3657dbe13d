import { isIPv4 } from "node:net";
import { ServerConfigurationError } from "./server-configuration-error.ts";

/** Throws ServerConfigurationError unless it is an https address, or one of http on this very machine. */
export function requireHttpUrl(what: string, text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackName(url.hostname))) return url;
  throw new ServerConfigurationError(`${what} must be an https address, not ${JSON.stringify(text)}`);
}

/** Whether a host, as it stands in a URL, is this machine for certain. */
export function isLoopbackName(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
}
