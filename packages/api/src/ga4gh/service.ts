import type { Links } from "@weft/shared/links.ts";
import type { TrsService } from "@weft/shared/records/ga4gh-record.ts";

export interface ServiceFacts {
  readonly artifact: "wes" | "trs";
  readonly standardVersion: string;
  readonly version: string;
  readonly links: Links;
}

/** What every GA4GH service says about itself. The organization is whoever runs the server, known by its address alone. */
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

/** As service ids begin; an address of numbers is no domain and stays as it is read. */
function reversedDomain(hostname: string): string {
  return /^[\d.]+$|^\[/.test(hostname) ? hostname : hostname.split(".").toReversed().join(".");
}
