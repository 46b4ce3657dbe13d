import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Site } from "../address/host-policy.ts";

/**
 * How strictly a request must prove that it comes from one of this server's pages: `lenient` lets programs through,
 * which send none of the browser's headers; `page` requires one of them; `origin` requires Origin itself, which every
 * browser sends when it opens a WebSocket.
 */
export type OriginDemand = "lenient" | "page" | "origin";

/** Refuses requests that a page of another site made the browser send. Undefined: accepted. */
export function checkOrigin(headers: IncomingHttpHeaders, site: Site, demand: OriginDemand): Refusal | undefined {
  const fault = originFault(headers, site, demand);
  return fault === undefined ? undefined : new Refusal("cross-origin", fault);
}

function originFault(headers: IncomingHttpHeaders, site: Site, demand: OriginDemand): string | undefined {
  const { origin, referer } = headers;
  const fetchSite = headers["sec-fetch-site"];
  if (origin !== undefined) {
    if (!site.origins.has(origin.toLowerCase()))
      return `The request comes from ${origin}, not from a page of this server`;
  } else if (demand === "origin") {
    return "The Origin header is missing";
  }
  if (fetchSite !== undefined && fetchSite !== "same-origin" && fetchSite !== "none") {
    return `The browser calls this request ${JSON.stringify(fetchSite)}`;
  }
  if (origin === undefined && fetchSite === undefined) return withoutBrowserHeaders(referer, site, demand);
  return undefined;
}

function withoutBrowserHeaders(referer: string | undefined, site: Site, demand: OriginDemand): string | undefined {
  if (demand === "page") return "Only a page of this server may do this; the request has no Origin or Sec-Fetch-Site";
  if (referer === undefined) return undefined;
  const origin = URL.parse(referer)?.origin;
  return origin !== undefined && site.origins.has(origin)
    ? undefined
    : `The request was referred by ${referer}, not by a page of this server`;
}
