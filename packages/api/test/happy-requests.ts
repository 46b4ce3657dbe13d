import type { RouteId } from "@weft/shared/routes/routes.ts";
import type { FakeEngine } from "./fake-engine.ts";
import { LOCATION, QUERY, QUERY_ID } from "./fake-datasets.ts";
import { AUTOMATION_ID } from "./fake-automations.ts";
import { DELIVERY_ID, SUBSCRIPTION_ID } from "./fake-notifications.ts";
import { DRAFT_ID, GROUP_ID } from "./fake-drafts.ts";
import { WES_DOCUMENT } from "./fake-wes-documents.ts";
import { json, wesForm } from "./test-server.ts";

const RUN = "/api/runs/019a9c5e-7b1a-7cc0-8000-000000000001";

const DRAFT = `/api/drafts/${DRAFT_ID}`;
const GROUP = `/api/draft-groups/${GROUP_ID}`;
const SEEN = { draft_id: DRAFT_ID, revision: 1 };
const UPGRADE = { kind: "tool", id: "smooth", version: "1.0.0", networks: ["imaging-cohort"] };
const PUBLISHED = { kind: "tool", id: "smooth", version: "1.0.0" };
const CHANGE = { do: "write", path: "tests/small.yml", text: "outputs: {}" };
const QUERIES = "/api/dataset-queries";
const SAVED = { name: "Elderly", network: "imaging-cohort", query: QUERY };
const REVISION = { "if-match": '"1"' };

const SUBSCRIPTION = `/api/subscriptions/${SUBSCRIPTION_ID}`;
const SUBSCRIBE = {
  ...{ channel: "webhook", name: "Night", scope: { network: "imaging-cohort" }, triggers: ["failure"] },
  url: "https://a.example/hook",
};

const AUTOMATION = `/api/automations/${AUTOMATION_ID}`;
const NIGHTLY = {
  ...{ name: "Night", network: "imaging-cohort" },
  trigger: { kind: "schedule", cron: "0 3 * * *", time_zone: "Europe/Berlin" },
};

const WES_RUN = RUN.replace("/api/", "/ga4gh/wes/v1/");

export type HappyRequest = readonly [route: RouteId, request: string, status: number, init?: RequestInit];

/** What the requests below ask for: a run with its one job, a file, and a log. */
export async function prepareHappy({ runs, files }: FakeEngine): Promise<void> {
  runs.add();
  await files.put("reports/a b.html", "<p>");
  await files.put("smooth.0.stderr", "a warning");
}

/** One request at least for every declared route, with the status that answers it. */
export const HAPPY_REQUESTS: readonly HappyRequest[] = [
  ["GET /api/networks", "GET /api/networks?page_size=5", 200],
  ["GET /api/networks", "GET /api/networks?view=url", 200],
  ["GET /api/networks/{id}", "GET /api/networks/imaging-cohort", 200],
  ["GET /api/tools", "GET /api/tools", 200],
  ["GET /api/tools/{id}", "GET /api/tools/smooth", 200],
  ["GET /api/tools/{id}/{version}", "GET /api/tools/smooth/1.0.0", 200],
  ["GET /api/tools/{id}/{version}/tests", "GET /api/tools/smooth/1.0.0/tests", 200],
  ["POST /api/tools/{id}/{version}/tests", "POST /api/tools/smooth/1.0.0/tests", 202, json({ tests: ["one-subject"] })],
  ["GET /api/networks/{id}/tests", "GET /api/networks/imaging-cohort/tests", 200],
  ["POST /api/networks/{id}/tests", "POST /api/networks/imaging-cohort/tests", 202, json({})],
  ["GET /api/drafts", "GET /api/drafts", 200],
  ["POST /api/drafts", "POST /api/drafts", 201, json({ kind: "tool", id: "smooth", based_on: "1.0.0" })],
  ["GET /api/drafts/{draft_id}", `GET ${DRAFT}`, 200],
  ["POST /api/drafts/{draft_id}", `POST ${DRAFT}`, 200, json({ text: "class: Workflow" }, REVISION)],
  ["GET /api/drafts/{draft_id}/editors", `GET ${DRAFT}/editors`, 200],
  ["POST /api/drafts/{draft_id}/editors", `POST ${DRAFT}/editors`, 200, json({ editor: DRAFT_ID })],
  ["GET /api/drafts/{draft_id}/check", `GET ${DRAFT}/check`, 200],
  ["POST /api/drafts/{draft_id}/runs", `POST ${DRAFT}/runs`, 201, json({ inputs: { images: [] } })],
  ["POST /api/drafts/{draft_id}/plans", `POST ${DRAFT}/plans`, 200, json({ inputs: {} })],
  ["POST /api/drafts/{draft_id}/publish", `POST ${DRAFT}/publish`, 201, json({ version: "1.0.1" }, REVISION)],
  ["GET /api/drafts/{draft_id}/files", `GET ${DRAFT}/files`, 200],
  ["POST /api/drafts/{draft_id}/files", `POST ${DRAFT}/files`, 200, json({ changes: [CHANGE] }, REVISION)],
  ["GET /api/drafts/{draft_id}/files/{path}", `GET ${DRAFT}/files/tests/small.yml`, 200],
  ["GET /api/drafts/{draft_id}/tests", `GET ${DRAFT}/tests`, 200],
  ["POST /api/drafts/{draft_id}/tests", `POST ${DRAFT}/tests`, 202, json({})],
  ["GET /api/tools/{id}/{version}/sources.zip", "GET /api/tools/smooth/1.0.0/sources.zip", 200],
  ["GET /api/networks/{id}/sources.zip", "GET /api/networks/imaging-cohort/sources.zip", 200],
  ["GET /api/drafts/{draft_id}/sources.zip", `GET ${DRAFT}/sources.zip`, 200],
  ["GET /api/drafts/{draft_id}/packed", `GET ${DRAFT}/packed`, 200],
  ["POST /api/commits", "POST /api/commits", 200, json({ versions: [PUBLISHED] })],
  ["GET /api/upgrades", "GET /api/upgrades?kind=tool&id=smooth&version=1.0.0", 200],
  ["POST /api/upgrades", "POST /api/upgrades", 201, json(UPGRADE)],
  ["POST /api/draft-imports", "POST /api/draft-imports?title=tools.zip", 201, { body: "zip" }],
  ["POST /api/draft-imports/url", "POST /api/draft-imports/url", 201, json({ url: "https://example.org/a.cwl" })],
  ["GET /api/draft-groups/{group_id}", `GET ${GROUP}`, 200],
  ["POST /api/draft-groups/{group_id}/tests", `POST ${GROUP}/tests`, 202],
  ["POST /api/draft-groups/{group_id}/publish", `POST ${GROUP}/publish`, 201, json({ drafts: [SEEN] })],
  ["DELETE /api/draft-groups/{group_id}", `DELETE ${GROUP}`, 204],
  ["DELETE /api/drafts/{draft_id}", `DELETE ${DRAFT}`, 204],
  ["GET /api/datasets", "GET /api/datasets", 200],
  ["GET /api/datasets/detail", `GET /api/datasets/detail?location=${LOCATION}`, 200],
  ["GET /api/datasets/files", `GET /api/datasets/files?location=${LOCATION}&from=0&page_size=5&q=sub`, 200],
  ["POST /api/datasets/query", "POST /api/datasets/query", 200, json(QUERY)],
  ["GET /api/dataset-queries", `GET ${QUERIES}?network=imaging-cohort`, 200],
  ["POST /api/dataset-queries", `POST ${QUERIES}`, 201, json(SAVED)],
  ["GET /api/dataset-queries/{query_id}", `GET ${QUERIES}/${QUERY_ID}`, 200],
  ["POST /api/dataset-queries/{query_id}", `POST ${QUERIES}/${QUERY_ID}`, 200, json(SAVED, REVISION)],
  ["GET /api/dataset-queries/{query_id}/samples", `GET ${QUERIES}/${QUERY_ID}/samples`, 200],
  ["DELETE /api/dataset-queries/{query_id}", `DELETE ${QUERIES}/${QUERY_ID}`, 204],
  ["GET /api/runs/{run_id}/dataset", `GET ${RUN}/dataset`, 200],
  ["GET /api/documents", "GET /api/documents", 200],
  ["GET /api/subscriptions", "GET /api/subscriptions", 200],
  ["POST /api/subscriptions", "POST /api/subscriptions", 201, json(SUBSCRIBE)],
  ["POST /api/subscriptions/{subscription_id}/test", `POST ${SUBSCRIPTION}/test`, 202],
  ["GET /api/subscriptions/{subscription_id}/deliveries", `GET ${SUBSCRIPTION}/deliveries?page_size=5`, 200],
  [
    "POST /api/subscriptions/{subscription_id}/deliveries/{delivery_id}/resend",
    `POST ${SUBSCRIPTION}/deliveries/${DELIVERY_ID}/resend`,
    202,
  ],
  ["DELETE /api/subscriptions/{subscription_id}", `DELETE ${SUBSCRIPTION}`, 204],
  ["GET /api/automations", "GET /api/automations", 200],
  ["POST /api/automations", "POST /api/automations", 201, json(NIGHTLY)],
  ["POST /api/automation-plans", "POST /api/automation-plans", 200, json(NIGHTLY)],
  ["GET /api/automations/{automation_id}/plan", `GET ${AUTOMATION}/plan`, 200],
  ["GET /api/automations/{automation_id}/history", `GET ${AUTOMATION}/history`, 200],
  ["POST /api/automations/{automation_id}/pause", `POST ${AUTOMATION}/pause`, 200],
  ["POST /api/automations/{automation_id}/resume", `POST ${AUTOMATION}/resume`, 200],
  ["DELETE /api/automations/{automation_id}", `DELETE ${AUTOMATION}`, 204],
  ["GET /api/networks/{id}/feed", "GET /api/networks/imaging-cohort/feed", 200],
  ["GET /api/feeds/{subscription_id}", `GET /api/feeds/${SUBSCRIPTION_ID}?token=right`, 200],
  ["GET /api/documents/{path}", "GET /api/documents/tools/smooth/1.0.0/smooth.cwl", 200],
  ["POST /api/runs", "POST /api/runs", 201, json({ network: "imaging-cohort", inputs: { images: [] } })],
  [
    "POST /api/runs",
    "POST /api/runs",
    201,
    json({
      network: "imaging-cohort",
      source_data: { images: { a: "x" } },
      sink_data: { report: "vfs://r/{basename}" },
    }),
  ],
  ["POST /api/plans", "POST /api/plans", 200, json({ network: "imaging-cohort" })],
  ["GET /api/runs", "GET /api/runs?state=RUNNING,QUEUED&sort=-created_at", 200],
  ["GET /api/runs/{run_id}", `GET ${RUN}`, 200],
  ["GET /api/runs/{run_id}/status", `GET ${RUN}/status`, 200],
  ["GET /api/runs/{run_id}/jobs", `GET ${RUN}/jobs`, 200],
  ["GET /api/runs/{run_id}/timeline", `GET ${RUN}/timeline`, 200],
  ["GET /api/runs/{run_id}/jobs/{job_id}", `GET ${RUN}/jobs/smooth.0`, 200],
  ["GET /api/runs/{run_id}/jobs/{job_id}/log", `GET ${RUN}/jobs/smooth.0/log`, 200],
  ["GET /api/runs/{run_id}/forecast", `GET ${RUN}/forecast`, 200],
  ["GET /api/runs/{run_id}/sizing", `GET ${RUN}/sizing`, 200],
  ["GET /api/tools/{id}/{version}/sizing", "GET /api/tools/smooth/1.0.0/sizing", 200],
  ["GET /api/runs/{run_id}/events", `GET ${RUN}/events?since=0`, 200],
  ["GET /api/runs/{run_id}/moment", `GET ${RUN}/moment?at=5`, 200],
  ["GET /api/runs/{run_id}/outputs", `GET ${RUN}/outputs`, 200],
  ["GET /api/runs/{run_id}/samples", `GET ${RUN}/samples?page_size=1`, 200],
  ["GET /api/runs/{run_id}/results", `GET ${RUN}/results?from=0&page_size=1&q=sub`, 200],
  ["GET /api/runs/{run_id}/reviews", `GET ${RUN}/reviews?page_size=5`, 200],
  [
    "POST /api/runs/{run_id}/reviews",
    `POST ${RUN}/reviews`,
    200,
    json({ reviews: [{ sample_id: "a", verdict: "pass" }] }),
  ],
  ["GET /api/runs/{run_id}/table/fields", `GET ${RUN}/table/fields`, 200],
  ["GET /api/runs/{run_id}/table", `GET ${RUN}/table?fields=output.measures%2Fvolume&from=0&page_size=5`, 200],
  ["GET /api/runs/{run_id}/table/export", `GET ${RUN}/table/export?format=csv`, 200],
  ["GET /api/runs/{run_id}/files/{path}", `GET ${RUN}/files/reports/a%20b.html`, 200],
  ["GET /api/runs/{run_id}/outputs.zip", `GET ${RUN}/outputs.zip`, 200],
  ["GET /api/runs/{run_id}/jobs/{job_id}/bundle", `GET ${RUN}/jobs/smooth.0/bundle?data=true`, 200],
  ["GET /api/runs/{run_id}/lineage", `GET ${RUN}/lineage?depth=2`, 200],
  ["GET /api/runs/{run_id}/comparison", `GET ${RUN}/comparison?with=${RUN.slice("/api/runs/".length)}`, 200],
  ["POST /api/runs/{run_id}/reproduce", `POST ${RUN}/reproduce`, 201, json({ tolerance: { relative: 0.01 } })],
  [
    "POST /api/runs/{run_id}/describe",
    `POST ${RUN}/describe`,
    200,
    json({ name: "Night", note: "", tags: { a: "b" } }),
  ],
  [
    "POST /api/runs/describe",
    "POST /api/runs/describe",
    200,
    json({ run_ids: [RUN.slice("/api/runs/".length)], archived: true, add_tags: { a: "b" } }),
  ],
  ["POST /api/runs/{run_id}/pause", `POST ${RUN}/pause`, 200],
  ["POST /api/runs/{run_id}/resume", `POST ${RUN}/resume`, 200],
  ["POST /api/prune", "POST /api/prune?dry_run=true", 200, json({})],
  ["GET /api/runs/{run_id}/provenance", `GET ${RUN}/provenance`, 200],
  ["DELETE /api/runs/{run_id}", `DELETE ${RUN}`, 204],
  ["POST /api/runs/{run_id}/retry", `POST ${RUN}/retry`, 201],
  ["POST /api/runs/{run_id}/retry-plan", `POST ${RUN}/retry-plan`, 200, json({ inputs: { images: [] } })],
  ["POST /api/files", "POST /api/files?name=a.nii", 201, { body: "content" }],
  ["GET /api/files", "GET /api/files", 200],
  ["GET /api/events", "GET /api/events", 200],
  ["GET /api/provenance/files", "GET /api/provenance/files?direction=output", 200],
  ["POST /api/provenance/crates", "POST /api/provenance/crates", 201, { body: "zip" }],
  ["GET /api/server", "GET /api/server", 200],
  ["GET /api/server/queue", "GET /api/server/queue?page_size=5", 200],
  ["GET /api/server/load", "GET /api/server/load?hours=1", 200],
  ["GET /api/server/backends", "GET /api/server/backends", 200],
  ["GET /api/server/disk", "GET /api/server/disk?process=smooth", 200],
  ["GET /api/server/checks", "GET /api/server/checks", 200],
  ["GET /api/audit", "GET /api/audit", 200],
  ["GET /metrics", "GET /metrics", 200],
  ["GET /ga4gh/wes/v1/service-info", "GET /ga4gh/wes/v1/service-info", 200],
  ["GET /ga4gh/wes/v1/runs", "GET /ga4gh/wes/v1/runs?page_size=1000", 200],
  ["GET /ga4gh/wes/v1/runs/{run_id}", `GET ${WES_RUN}`, 200],
  ["GET /ga4gh/wes/v1/runs/{run_id}/stderr", `GET ${WES_RUN}/stderr`, 200],
  ["GET /ga4gh/wes/v1/runs/{run_id}/status", `GET ${WES_RUN}/status`, 200],
  ["GET /ga4gh/wes/v1/runs/{run_id}/tasks", `GET ${WES_RUN}/tasks`, 200],
  ["GET /ga4gh/wes/v1/runs/{run_id}/tasks/{task_id}", `GET ${WES_RUN}/tasks/smooth.0`, 200],
  ["GET /ga4gh/trs/v2/service-info", "GET /ga4gh/trs/v2/service-info", 200],
  ["GET /ga4gh/trs/v2/toolClasses", "GET /ga4gh/trs/v2/toolClasses", 200],
  ["GET /ga4gh/trs/v2/tools", "GET /ga4gh/trs/v2/tools?limit=1", 200],
  ["GET /ga4gh/trs/v2/tools/{id}", "GET /ga4gh/trs/v2/tools/networks:imaging-cohort", 200],
  ["GET /ga4gh/trs/v2/tools/{id}/versions", "GET /ga4gh/trs/v2/tools/tools:smooth/versions", 200],
  [
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}",
    "GET /ga4gh/trs/v2/tools/networks:imaging-cohort/versions/current",
    200,
  ],
  [
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/descriptor",
    "GET /ga4gh/trs/v2/tools/networks:imaging-cohort/versions/current/CWL/descriptor",
    200,
  ],
  [
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/descriptor/{path}",
    "GET /ga4gh/trs/v2/tools/networks:imaging-cohort/versions/current/CWL/descriptor/examples/cohort.json",
    200,
  ],
  [
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/tests",
    "GET /ga4gh/trs/v2/tools/networks:imaging-cohort/versions/current/CWL/tests",
    200,
  ],
  [
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/files",
    "GET /ga4gh/trs/v2/tools/networks:imaging-cohort/versions/current/PLAIN_CWL/files",
    200,
  ],
  [
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/containerfile",
    "GET /ga4gh/trs/v2/tools/networks:imaging-cohort/versions/current/containerfile",
    404,
  ],
  ["POST /ga4gh/wes/v1/runs", "POST /ga4gh/wes/v1/runs", 200, wesForm({ workflow_url: "imaging-cohort" })],
  ["GET /api/wes-documents", "GET /api/wes-documents?page_size=5", 200],
  ["GET /api/wes-documents/{digest}", `GET /api/wes-documents/${WES_DOCUMENT}`, 200],
  ["POST /api/wes-documents/{digest}/approve", `POST /api/wes-documents/${WES_DOCUMENT}/approve`, 200],
  ["POST /api/wes-documents/{digest}/withdraw", `POST /api/wes-documents/${WES_DOCUMENT}/withdraw`, 200],
  ["POST /ga4gh/wes/v1/runs/{run_id}/cancel", `POST ${WES_RUN}/cancel`, 200],
  ["GET /healthz", "GET /healthz", 200],
  ["GET /api/session", "GET /api/session", 200],
  ["POST /api/session", "POST /api/session", 204, json({ code: "any, for there is no login" })],
  ["DELETE /api/session", "DELETE /api/session", 204],
  ["POST /api/events/tickets", "POST /api/events/tickets", 201],
  ["GET /readyz", "GET /readyz", 200],
  [
    "POST /shutdown",
    "POST /shutdown",
    202,
    json({ mode: "drain", confirm: "shutdown" }, { "sec-fetch-site": "same-origin" }),
  ],
];
