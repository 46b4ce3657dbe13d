import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { ServerConfigurationError } from "../address/server-configuration-error.ts";

/** Report of a trusted proxy about the request that it forwards; undefined if it reports nothing. */
export interface Forwarded {
  /** The address of the client according to the last trusted proxy. */
  readonly client: string;
  readonly host: string | undefined;
  readonly scheme: "http" | "https" | undefined;
}

/** Reads X-Forwarded-*. Any client can send these headers, so they count only if they come from trusted proxies. */
export type ForwardedReader = (request: IncomingMessage) => Forwarded;

/** `proxies` are addresses, alone or as `10.0.0.0/8`. Throws ServerConfigurationError for one that is neither. */
export function createForwardedReader(proxies: readonly string[]): ForwardedReader {
  const trusted = new BlockList();
  for (const proxy of proxies) addTo(trusted, proxy);
  const isTrusted = (address: string) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
    const family = isIP(plain);
    return family !== 0 && trusted.check(plain, family === 4 ? "ipv4" : "ipv6");
  };
  return (request) => {
    const peer = request.socket.remoteAddress ?? "";
    if (proxies.length === 0 || !isTrusted(peer)) return { client: peer, host: undefined, scheme: undefined };
    const { "x-forwarded-host": host, "x-forwarded-proto": scheme } = request.headers;
    return {
      client: clientOf(request.headers["x-forwarded-for"], { peer, isTrusted }),
      host: lastOf(host),
      scheme: schemeOf(lastOf(scheme)),
    };
  };
}

function addTo(trusted: BlockList, proxy: string): void {
  const [address = "", bits] = proxy.split("/", 2);
  const family = isIP(address);
  const widest = family === 4 ? 32 : 128;
  const length = bits === undefined ? widest : Number(bits);
  if (family === 0 || !Number.isInteger(length) || length < 0 || length > widest || bits === "")
    throw new ServerConfigurationError(`--trust-proxy takes an address or a network (10.0.0.0/8), not "${proxy}"`);
  trusted.addSubnet(address, length, family === 4 ? "ipv4" : "ipv6");
}

/**
 * Each proxy appends the address of its client. The result is the first address from the right that is not a trusted
 * proxy; anyone can forge the entries before it.
 */
function clientOf(
  header: string | readonly string[] | undefined,
  { peer, isTrusted }: { readonly peer: string; readonly isTrusted: (address: string) => boolean },
): string {
  const hops = String(header ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => isIP(hop) !== 0);
  return hops.findLast((hop) => !isTrusted(hop)) ?? hops[0] ?? peer;
}

function lastOf(header: string | readonly string[] | undefined): string | undefined {
  const last = String(header ?? "")
    .split(",")
    .at(-1)
    ?.trim();
  return last === "" ? undefined : last;
}

function schemeOf(text: string | undefined): Forwarded["scheme"] {
  return text === "http" || text === "https" ? text : undefined;
}
