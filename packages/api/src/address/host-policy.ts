import type { BaseAddress } from "./base-address.ts";

/** The address under which one request reached this server. */
export interface Site {
  /** Base of the links in the response, without a trailing slash. */
  readonly base: string;
  /** Path part of `base`: empty, or `/weft`. */
  readonly prefix: string;
  /** Values of Origin that identify this server's own pages. */
  readonly origins: ReadonlySet<string>;
}

export interface HostPolicyOptions {
  /** The address that the server is bound to. */
  readonly boundHost: string;
  readonly port: number;
  readonly base: BaseAddress | undefined;
  readonly allowedHosts: readonly string[];
}

/**
 * Finds the site for a value of the Host header; undefined if this server does not serve that name. `scheme` is the one
 * between the client and a trusted proxy; it is used if no base address is configured.
 */
export type HostPolicy = (host: string, scheme?: "http" | "https") => Site | undefined;

/**
 * The allow-list against DNS rebinding: loopback names with the server's exact port, the configured base address and
 * the names that the operator allowed. A page of another site whose name now resolves to this server sends that name.
 */
export function createHostPolicy(options: HostPolicyOptions): HostPolicy {
  const hosts = allowedHosts(options);
  const sitesBy = (scheme: "http" | "https") =>
    new Map(hosts.map((host) => [host, siteOf(`${scheme}://${host}`, host, options.base)]));
  const sites = { http: sitesBy("http"), https: sitesBy("https") };
  return (host, scheme = "http") => sites[scheme].get(host.toLowerCase());
}

function allowedHosts({ boundHost, port, base, allowedHosts }: HostPolicyOptions): string[] {
  const names = ["127.0.0.1", "localhost", "[::1]", authorityName(boundHost)];
  const local = names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
  return [...local, ...allowedHosts.map((host) => host.toLowerCase()), ...(base === undefined ? [] : [base.host])];
}

/** A host as written in a URL: IPv6 addresses in brackets. */
export function authorityName(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function siteOf(direct: string, host: string, base: BaseAddress | undefined): Site {
  if (base === undefined) return { base: direct, prefix: "", origins: new Set([direct]) };
  const origins = host === base.host ? [base.origin] : [direct, base.origin];
  return { base: base.origin + base.prefix, prefix: base.prefix, origins: new Set(origins) };
}
