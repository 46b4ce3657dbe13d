import type { Links } from "@weft/shared/links.ts";
import type { TrsService } from "@weft/shared/records/ga4gh-record.ts";

export interface ServiceFacts {
  readonly artifact: "wes" | "trs";
  readonly standardVersion: string;
  readonly version: string;
  readonly links: Links;
}

/**
 * The service information of every GA4GH service. The organization is the operator of the server, known only by its
 * URL.
 */
export function serviceOf({ artifact, standardVersion, version, links }: ServiceFacts): TrsService {
  const { hostname } = new URL(links.base);
  return {
    id: `${reversedDomain(hostname)}.weft.${artifact}`,
    name: "Weft",
    type: { group: "org.ga4gh", artifact, version: standardVersion },
    description: "Runs CWL networks and tools",
    organization: { name: hostname, url: links.base },
    documentationUrl: `${links.base}/doc`,
    version,
  };
}

/** The prefix of service IDs: the reversed domain name. An IP address is not a domain and stays as it is. */
function reversedDomain(hostname: string): string {
  return /^[\d.]+$|^\[/.test(hostname) ? hostname : hostname.split(".").toReversed().join(".");
}
