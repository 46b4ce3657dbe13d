import type { FuzzedRequest } from "./fuzz-request.ts";
import { wordsOf, type ValueOptions } from "./fuzz-values.ts";

const QUERIES: readonly string[] = [
  ...wordsOf(`
    page_size=0 page_size=1e3 page_size=%20%31 page_size=99999999999999999999 page_size[]=1 page_size=1&page_size=2
    page_token=%00 page_token=WyJ4Iiw1XQ page_token=W251bGwsbnVsbF0 since=-1 since=9007199254740993 since=2026-13-45
    state=COMPLETE&state=COMPLETE state=COMPLETE,, q=%F0%9F%92%A9%ED%A0%80 q=%25%5F%27%22 __proto__=1
    constructor[prototype]=1 = &&& ? a;b=c depth=99 hours=0 hours=1e9 process=.. tail=-5 tail=999999999999
    follow=maybe format= with= download=1
`),
  `page_token=${"A".repeat(2000)}`,
  "x=1&".repeat(500),
];

const QUERY_PATHS = wordsOf(`
  /api/runs /api/runs/{run} /api/runs/{run}/jobs /api/runs/{run}/status /api/runs/{run}/events
  /api/runs/{run}/forecast /api/runs/{run}/sizing /api/runs/{run}/reviews /api/runs/{run}/table
  /api/runs/{run}/table/fields /api/runs/{run}/lineage /api/runs/{run}/provenance /api/runs/{run}/comparison
  /api/events /api/files /api/provenance/files /api/networks /api/tools /api/audit /api/server/queue
  /api/server/load /api/server/disk /ga4gh/wes/v1/runs /ga4gh/wes/v1/runs/{run}/tasks /ga4gh/trs/v2/tools /healthz
  /metrics
`);

/** A request for a list with an odd query. */
export function oddQuery({ random, known }: ValueOptions): FuzzedRequest {
  const path = random.pick(QUERY_PATHS).replace("{run}", random.pick([...(known["run_id"] ?? []), "none"]));
  const query = Array.from({ length: 1 + random.below(3) }, () => random.pick(QUERIES)).join("&");
  return { method: random.pick(["GET", "GET", "HEAD"]), target: `${path}?${query}`, headers: {}, body: undefined };
}

/** A header of about the length that servers allow, or more. */
export function longHeader({ random }: ValueOptions): FuzzedRequest {
  const target = random.pick(["/api/runs", "/ga4gh/wes/v1/runs", "/ga4gh/trs/v2/tools", "/healthz"]);
  return {
    method: "GET",
    target,
    headers: { "x-long": "x".repeat(random.pick([8_000, 16_300, 20_000])) },
    body: undefined,
  };
}
