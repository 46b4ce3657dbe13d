import type { IncomingMessage } from "node:http";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { HostPolicy, Site } from "../address/host-policy.ts";
import type { PeerGuard } from "../auth/peer-guard.ts";
import { checkOrigin, type OriginDemand } from "./check-origin.ts";
import type { ForwardedReader } from "./forwarded.ts";

/** The data on which the guard's decision depends. */
export interface Gate {
  readonly policy: HostPolicy;
  readonly forwarded: ForwardedReader;
  readonly peers: PeerGuard;
}

/** Facts about a request before it is read. */
export interface Arrival {
  readonly site: Site;
  /** Address of the client; behind a trusted proxy, the address that the proxy saw. */
  readonly client: string;
}

/** A request that may proceed to Koa, with its path below the base URL; why it was refused; or that its client left. */
export type Admission =
  | { readonly kind: "admitted"; readonly arrival: Arrival; readonly target: string }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "closed" };

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The guard in front of everything: pages, assets, documentation, API and upgrades pass it, whatever their path, so no
 * spelling of a path bypasses it. It takes time only for the first request of a connection.
 */
export function admitRequest(
  request: IncomingMessage,
  gate: Gate,
  demand?: OriginDemand,
): Admission | Promise<Admission> {
  const stranger = gate.peers(request.socket);
  if (!(stranger instanceof Promise)) return admitFrom(stranger, request, gate, demand);
  return stranger.then((found) => admitFrom(found, request, gate, demand));
}

function admitFrom(
  stranger: Awaited<ReturnType<PeerGuard>>,
  request: IncomingMessage,
  gate: Gate,
  demand: OriginDemand | undefined,
): Admission {
  if (stranger === "closed") return { kind: "closed" };
  if (stranger !== undefined) return { kind: "refused", refusal: stranger };
  const target = request.url ?? "";
  const malformed = checkRequestTarget(target) ?? checkHostHeader(request);
  if (malformed !== undefined) return { kind: "refused", refusal: malformed };
  const forwarded = gate.forwarded(request);
  const host = forwarded.host ?? request.headers.host ?? "";
  const site = gate.policy(host, forwarded.scheme);
  if (site === undefined) return { kind: "refused", refusal: misdirected(host) };
  const foreign = checkOriginOf(request, site, demand);
  if (foreign !== undefined) return { kind: "refused", refusal: foreign };
  const arrival = { site, client: forwarded.client };
  return { kind: "admitted", arrival, target: withoutPrefix(target, site.prefix) };
}

/** Node silently keeps the first of several Host headers; a proxy in front may have used the last. */
function checkHostHeader(request: IncomingMessage): Refusal | undefined {
  const names = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (names.length > 1) return new Refusal("bad-request-target", "The request has several Host headers");
  if (/^[a-z0-9._:[\]-]+$/i.test(request.headers.host ?? "")) return undefined;
  return new Refusal("bad-request-target", "The Host header is missing or not a host name with a port");
}

function misdirected(host: string): Refusal {
  return new Refusal(
    "misdirected-request",
    `This server does not answer for ${host}; if that is its name, start it with --base-url`,
  );
}

function checkOriginOf(request: IncomingMessage, site: Site, demand: OriginDemand | undefined): Refusal | undefined {
  if (demand !== undefined) return checkOrigin(request.headers, site, demand);
  return SAFE_METHODS.has(request.method ?? "") ? undefined : checkOrigin(request.headers, site, "lenient");
}

/** A reverse proxy may keep the prefix or remove it; both work. */
function withoutPrefix(target: string, prefix: string): string {
  if (prefix === "" || !target.startsWith(prefix)) return target;
  const rest = target.slice(prefix.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : target;
}

const LONGEST_TARGET = 8192;

/**
 * Refuses request targets that Koa or a router could misread: absolute and asterisk form, raw control characters, `%00`,
 * broken escapes, and segments that are `..` once decoded. Undefined: the target can be routed.
 */
export function checkRequestTarget(target: string): Refusal | undefined {
  const fault = targetFault(target);
  return fault === undefined ? undefined : new Refusal("bad-request-target", `The request target ${fault}`);
}

/** Targets that need no closer check, as nearly all do. */
const PLAIN_TARGET = /^(?:\/[\w-]+(?:\.[\w-]+)*)+(?:\?[\w=&,.:-]*)?$/;

function targetFault(target: string): string | undefined {
  if (target.length <= LONGEST_TARGET && PLAIN_TARGET.test(target)) return undefined;
  if (target.length > LONGEST_TARGET) return `is longer than ${LONGEST_TARGET} bytes`;
  if (!target.startsWith("/")) return "must begin with a slash";
  if (target.startsWith("//")) return "must not begin with two slashes";
  if (!/^[\x21-\x7e]*$/.test(target) || /[\\#]/.test(target)) return "contains characters that must be percent-encoded";
  if (/%(?![0-9a-f]{2})/i.test(target)) return "contains a percent sign that starts no escape";
  if (/%00/.test(target)) return "contains a null character";
  if (!isUtf8Escaped(target)) return "contains escapes that are not UTF-8";
  if (pathSegments(target).some(isDotSegment)) return "contains a `.` or `..` segment";
  return undefined;
}

/** A query parser would replace other bytes silently. */
function isUtf8Escaped(target: string): boolean {
  try {
    decodeURIComponent(target);
    return true;
  } catch {
    return false;
  }
}

function pathSegments(target: string): string[] {
  const [path = ""] = target.split("?", 1);
  return path.replace(/%2f/gi, "/").split("/");
}

function isDotSegment(segment: string): boolean {
  const plain = segment.replace(/%2e/gi, ".");
  return plain === "." || plain === "..";
}
