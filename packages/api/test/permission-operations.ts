import { json, wesForm } from "./test-server.ts";

const GROUP = "/api/draft-groups/019a9c5e-7b1a-4cc0-8000-000000000003";
const QUERY = "/api/dataset-queries/019a9c5e-7b1a-4cc0-8000-000000000003";
const DRAFT = "/api/drafts/019a9c5e-7b1a-4cc0-8000-000000000002";
const AUTOMATION = "/api/automations/019a9c5e-7b1a-4cc0-8000-000000000004";
const NIGHTLY = {
  ...{ name: "Night", network: "none" },
  trigger: { kind: "schedule", cron: "0 3 * * *", time_zone: "Europe/Berlin" },
};
const SUBSCRIPTION = "/api/subscriptions/019a9c5e-7b1a-4cc0-8000-000000000003";

/** Names that a request may contain. */
export interface RunNames {
  readonly runId: string;
  readonly jobId: string;
  readonly output: string;
  /** A run of the caller. */
  readonly own: string;
  /** Page tokens that the owner of the run received. */
  readonly tokens: Readonly<Record<string, string>>;
}

interface VariantRequest {
  readonly method: string;
  readonly path: string;
  readonly init?: RequestInit;
}

export type Variant = (names: RunNames) => VariantRequest;

interface Operation {
  /** Requests that name a run. */
  readonly ofRun: readonly Variant[];
  /** Requests that name no run, but whose answers may contain data of runs. */
  readonly ofAll: readonly Variant[];
}

/** Requests that read a path without and with each query, by GET and by HEAD. */
function reads(path: (names: RunNames) => string, queries: readonly ((names: RunNames) => string)[] = []): Variant[] {
  return [() => "", ...queries].flatMap((query) =>
    ["GET", "HEAD"].map((method) => (names: RunNames) => ({ method, path: path(names) + query(names) })),
  );
}

/** Requests that read a path with each of the headers. */
function withHeaders(path: (names: RunNames) => string, all: readonly Readonly<Record<string, string>>[]): Variant[] {
  return all.map((headers) => (names) => ({ method: "GET", path: path(names), init: { headers } }));
}

function writes(
  method: "POST" | "DELETE",
  path: (names: RunNames) => string,
  inits: readonly ((names: RunNames) => RequestInit)[],
): Variant[] {
  return inits.map((init) => (names) => ({ method, path: path(names), init: init(names) }));
}

const ofRun = (...variants: readonly (readonly Variant[])[]): Operation => ({ ofRun: variants.flat(), ofAll: [] });
const ofAll = (...variants: readonly (readonly Variant[])[]): Operation => ({ ofRun: [], ofAll: variants.flat() });

const run =
  (rest = "") =>
  ({ runId }: RunNames) =>
    `/api/runs/${runId}${rest}`;
const job =
  (rest = "") =>
  ({ runId, jobId }: RunNames) =>
    `/api/runs/${runId}/jobs/${jobId}${rest}`;
const wes =
  (rest = "") =>
  ({ runId }: RunNames) =>
    `/ga4gh/wes/v1/runs/${runId}${rest}`;
const trs =
  (rest = "") =>
  () =>
    `/ga4gh/trs/v2/tools/tools:say${rest}`;
const at = (path: string) => () => path;
const token =
  (name: string) =>
  ({ tokens }: RunNames) =>
    `?page_token=${encodeURIComponent(tokens[name] ?? "")}`;
const NO_DOCUMENT = `sha256:${"0".repeat(64)}`;
const revision = { "if-none-match": '"7"' };
const stream = { accept: "text/event-stream" };
const withRun = ({ runId }: RunNames) => `?with=${runId}`;
const fileOf = (location: (names: RunNames) => string) => (names: RunNames) =>
  json({ tool: "say", inputs: { script: "true", more: { class: "File", location: location(names) } } });

/** Every operation with the variants of its requests: a route without a row fails the test. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  "GET /api/runs/{run_id}": ofRun(reads(run()), withHeaders(run(), [revision])),
  "GET /api/runs/{run_id}/status": ofRun(
    reads(run("/status")),
    withHeaders(run("/status"), [{ prefer: "wait=0" }, { prefer: "wait=1" }, { prefer: "wait=1", ...revision }]),
  ),
  "POST /api/runs/{run_id}/retry": ofRun(
    writes("POST", run("/retry"), [
      () => json({}),
      () => json({ name: "x" }),
      () => json({}, { "idempotency-key": "k" }),
      () => json({ inputs: { script: 5 } }),
    ]),
    writes("POST", run("/retry?dry_run=true"), [() => json({})]),
  ),
  "POST /api/runs/{run_id}/retry-plan": ofRun(writes("POST", run("/retry-plan"), [() => json({})])),
  "POST /api/runs/{run_id}/describe": ofRun(
    writes("POST", run("/describe"), [() => json({ name: "x" }), () => json({ note: "n", tags: { a: "b" } })]),
  ),
  "POST /api/runs/describe": ofRun(
    writes("POST", at("/api/runs/describe"), [
      ({ runId }) => json({ run_ids: [runId], archived: true }),
      ({ runId }) => json({ run_ids: [runId], add_tags: { a: "b" }, remove_tags: ["c"] }),
    ]),
  ),
  "POST /api/runs/{run_id}/pause": ofRun(writes("POST", run("/pause"), [() => ({})])),
  "POST /api/runs/{run_id}/resume": ofRun(writes("POST", run("/resume"), [() => ({})])),
  "DELETE /api/runs/{run_id}": ofRun(writes("DELETE", run(), [() => ({}), () => ({ headers: revision })])),
  "GET /api/runs/{run_id}/jobs": ofRun(
    reads(run("/jobs"), [
      ...[at("?page_size=1"), at("?state=COMPLETE"), at("?q=main"), at("?sort=-cpu_ms&skip=1"), token("events")],
    ]),
  ),
  "GET /api/runs/{run_id}/timeline": ofRun(reads(run("/timeline"), [at("?after=1"), at("?after=0")])),
  "GET /api/runs/{run_id}/jobs/{job_id}": ofRun(reads(job()), reads(run("/jobs/none"))),
  "GET /api/runs/{run_id}/jobs/{job_id}/log": ofRun(
    reads(job("/log"), [
      at("?stream=stdout"),
      at("?stream=stderr"),
      at("?tail=1"),
      at("?follow=true"),
      at("?follow=true&stream=stdout"),
      at("?follow=true&tail=1"),
    ]),
    reads(run("/jobs/none/log"), [at("?follow=true")]),
    withHeaders(job("/log"), [{ range: "bytes=0-0" }, { range: "bytes=999-" }, revision]),
  ),
  "GET /api/runs/{run_id}/jobs/{job_id}/bundle": ofRun(
    reads(job("/bundle"), [at("?data=true"), at("?data=false")]),
    reads(run("/jobs/none/bundle")),
  ),
  "GET /api/runs/{run_id}/events": ofRun(
    reads(run("/events"), [at("?since=1"), at("?page_size=1"), token("events")]),
    withHeaders(run("/events"), [stream, { ...stream, "last-event-id": "1" }]),
  ),
  "GET /api/runs/{run_id}/moment": ofRun(reads(run("/moment"), [at("?at=1"), at("?number=1")])),
  "GET /api/runs/{run_id}/outputs": ofRun(reads(run("/outputs"))),
  "GET /api/runs/{run_id}/samples": ofRun(reads(run("/samples"), [at("?page_size=1")])),
  "GET /api/runs/{run_id}/results": ofRun(reads(run("/results"), [at("?from=1"), at("?page_size=1"), at("?q=a")])),
  "GET /api/runs/{run_id}/reviews": ofRun(reads(run("/reviews"), [at("?page_size=1")])),
  "POST /api/runs/{run_id}/reviews": ofRun(
    writes("POST", run("/reviews"), [() => json({ reviews: [{ sample_id: "none", verdict: "pass" }] })]),
  ),
  "GET /api/runs/{run_id}/table/fields": ofRun(reads(run("/table/fields"), [withRun])),
  "GET /api/runs/{run_id}/table": ofRun(
    reads(run("/table"), [withRun, at("?fields=input.script"), at("?from=1"), at("?page_size=1")]),
  ),
  "GET /api/runs/{run_id}/table/export": ofRun(
    reads(run("/table/export?format=csv")),
    reads(run("/table/export?format=parquet&fields=input.script")),
  ),
  "GET /api/runs/{run_id}/outputs.zip": ofRun(reads(run("/outputs.zip"))),
  "GET /api/runs/{run_id}/files/{path}": ofRun(
    reads(({ runId, output }) => `/api/runs/${runId}/files/outputs/${output}`, [at("?download=true")]),
    reads(run("/files/outputs/none")),
    reads(({ runId, jobId }) =>
      `/api/runs/${runId}/files/jobs/${jobId}/stderr?missing`.replace("?missing", "-missing"),
    ),
    withHeaders(
      ({ runId, output }) => `/api/runs/${runId}/files/outputs/${output}`,
      [{ range: "bytes=0-0" }, revision],
    ),
  ),
  "GET /api/runs/{run_id}/provenance": ofRun(
    reads(
      run("/provenance"),
      ["prov-json", "ro-crate", "ro-crate-metadata"].map((name) => at(`?format=${name}`)),
    ),
  ),
  "GET /api/runs/{run_id}/lineage": ofRun(reads(run("/lineage"), [at("?depth=1"), at("?depth=5")])),
  "GET /api/runs/{run_id}/comparison": ofRun(
    reads(({ runId, own }) => `/api/runs/${runId}/comparison?with=${own}`, [at("&relative=0.1"), at("&absolute=1")]),
    reads(({ runId, own }) => `/api/runs/${own}/comparison?with=${runId}`),
    reads(({ runId }) => `/api/runs/${runId}/comparison?with=${runId}`),
  ),
  "POST /api/runs/{run_id}/reproduce": ofRun(
    writes("POST", run("/reproduce"), [
      () => json({}),
      () => ({}),
      () => json({ tolerance: { relative: 0, absolute: 0 } }),
    ]),
  ),
  "GET /ga4gh/wes/v1/runs/{run_id}": ofRun(reads(wes())),
  "GET /ga4gh/wes/v1/runs/{run_id}/stderr": ofRun(reads(wes("/stderr"))),
  "GET /ga4gh/wes/v1/runs/{run_id}/status": ofRun(reads(wes("/status"))),
  "POST /ga4gh/wes/v1/runs/{run_id}/cancel": ofRun(writes("POST", wes("/cancel"), [() => ({})])),
  "GET /ga4gh/wes/v1/runs/{run_id}/tasks": ofRun(reads(wes("/tasks"), [at("?page_size=1"), token("events")])),
  "GET /ga4gh/wes/v1/runs/{run_id}/tasks/{task_id}": ofRun(
    reads(({ runId, jobId }) => `/ga4gh/wes/v1/runs/${runId}/tasks/${jobId}`),
    reads(wes("/tasks/none")),
  ),
  "POST /api/runs": {
    ofRun: [
      ...writes("POST", at("/api/runs"), [
        fileOf(({ runId, output }) => `weft-data://runs/${runId}/outputs/${output}`),
        fileOf(({ runId, output }) => `http://127.0.0.1/api/runs/${runId}/files/outputs/${output}`),
        fileOf(({ runId }) => `weft-data://runs/${runId}/`),
      ]),
      ...writes("POST", at("/api/runs?dry_run=true"), [
        fileOf(({ runId, output }) => `weft-data://runs/${runId}/outputs/${output}`),
      ]),
    ],
    ofAll: writes("POST", at("/api/runs?dry_run=true"), [() => json({ tool: "say", inputs: { script: "echo" } })]),
  },
  "POST /api/plans": {
    ofRun: writes("POST", at("/api/plans"), [
      fileOf(({ runId, output }) => `weft-data://runs/${runId}/outputs/${output}`),
    ]),
    ofAll: writes("POST", at("/api/plans"), [() => json({ tool: "say", inputs: { script: "echo" } })]),
  },
  "POST /api/prune": ofRun(
    writes("POST", at("/api/prune"), [
      ({ runId }) => json({ run_id: runId }),
      ({ runId }) => json({ run_id: runId, parts: ["logs"] }),
    ]),
    writes("POST", at("/api/prune?dry_run=true"), [({ runId }) => json({ run_id: runId })]),
  ),
  "GET /api/provenance/files": {
    ofRun: reads(
      ({ runId }) => `/api/provenance/files?run=${runId}`,
      [({ jobId }) => `&job=${jobId}`, at("&direction=output"), at("&scope=run"), at("&q=text")],
    ),
    ofAll: reads(at("/api/provenance/files"), [at("?q=text"), at("?tool=say"), token("files"), at("?page_size=500")]),
  },
  "GET /api/runs": ofAll(
    reads(at("/api/runs"), [
      at("?owner=oz"),
      at("?q=secret"),
      at("?state=RUNNING"),
      at("?tool=say"),
      at("?view=url"),
      at("?sort=created_at"),
      at("?page_size=500"),
      token("runs"),
    ]),
  ),
  "GET /api/events": ofAll(
    reads(at("/api/events"), [at("?since=0&page_size=500"), token("allEvents")]),
    withHeaders(at("/api/events?since=0"), [stream, { ...stream, "last-event-id": "0" }]),
  ),
  "GET /ga4gh/wes/v1/runs": ofAll(
    reads(at("/ga4gh/wes/v1/runs"), [at("?page_size=500"), at("?state=RUNNING"), token("runs")]),
  ),
  "GET /api/files": {
    ofRun: reads(({ runId }) => `/api/files?location=${encodeURIComponent(`weft-data://runs/${runId}/outputs/`)}`),
    ofAll: reads(at("/api/files"), [at("?location=weft-data://runs/"), at("?location=weft-data://uploads/")]),
  },
  "GET /api/datasets": ofAll(reads(at("/api/datasets"))),
  "GET /api/datasets/detail": ofAll(
    reads(at("/api/datasets/detail"), [at("?location=weft-data://catalog/&pattern={x}")]),
  ),
  "GET /api/datasets/files": ofAll(
    reads(at("/api/datasets/files"), [at("?location=weft-data://catalog/&pattern={x}")]),
  ),
  "POST /api/datasets/query": ofAll(
    writes("POST", at("/api/datasets/query"), [
      () =>
        json({
          location: "weft-data://catalog/",
          pattern: "**/{x}",
          per: ["x"],
          columns: [{ kind: "file", name: "x" }],
        }),
    ]),
    writes("POST", at("/api/datasets/query"), [
      ({ runId }) =>
        json({
          location: `weft-data://runs/${runId}/`,
          pattern: "**/{x}",
          per: ["x"],
          columns: [{ kind: "file", name: "x" }],
        }),
    ]),
  ),
  "GET /api/dataset-queries": ofAll(reads(at("/api/dataset-queries"), [at("?network=say")])),
  "POST /api/dataset-queries": ofAll(writes("POST", at("/api/dataset-queries"), [() => json({ name: "x" })])),
  "GET /api/dataset-queries/{query_id}": ofAll(reads(at(QUERY))),
  "POST /api/dataset-queries/{query_id}": ofAll(writes("POST", at(QUERY), [() => json({}, { "if-match": '"1"' })])),
  "DELETE /api/dataset-queries/{query_id}": ofAll(writes("DELETE", at(QUERY), [() => ({})])),
  "GET /api/dataset-queries/{query_id}/samples": ofAll(reads(at(`${QUERY}/samples`))),
  "GET /api/runs/{run_id}/dataset": ofRun(reads(run("/dataset"))),
  "GET /api/drafts": ofAll(reads(at("/api/drafts"))),
  "POST /api/drafts": ofAll(writes("POST", at("/api/drafts"), [() => json({ kind: "tool", id: "say" })])),
  "GET /api/drafts/{draft_id}": ofAll(reads(at(DRAFT))),
  "POST /api/drafts/{draft_id}": ofAll(writes("POST", at(DRAFT), [() => json({ text: "" }, { "if-match": '"1"' })])),
  "DELETE /api/drafts/{draft_id}": ofAll(writes("DELETE", at(DRAFT), [() => ({})])),
  "GET /api/drafts/{draft_id}/files": ofAll(reads(at(`${DRAFT}/files`))),
  "POST /api/drafts/{draft_id}/files": ofAll(
    writes("POST", at(`${DRAFT}/files`), [
      () => json({ changes: [{ do: "delete", path: "a" }] }, { "if-match": '"1"' }),
    ]),
  ),
  "GET /api/drafts/{draft_id}/files/{path}": ofAll(reads(at(`${DRAFT}/files/tests/small.yml`))),
  "GET /api/drafts/{draft_id}/tests": ofAll(reads(at(`${DRAFT}/tests`))),
  "POST /api/drafts/{draft_id}/tests": ofAll(writes("POST", at(`${DRAFT}/tests`), [() => json({})])),
  "GET /api/upgrades": ofAll(reads(at("/api/upgrades?kind=tool&id=say&version=1.0.0"))),
  "POST /api/upgrades": ofAll(
    writes("POST", at("/api/upgrades"), [() => json({ kind: "tool", id: "say", version: "1.0.0", networks: ["a"] })]),
  ),
  "GET /api/tools/{id}/{version}/sources.zip": ofAll(reads(at("/api/tools/say/1.0.0/sources.zip"))),
  "GET /api/networks/{id}/sources.zip": ofAll(reads(at("/api/networks/say/sources.zip"))),
  "GET /api/drafts/{draft_id}/sources.zip": ofAll(reads(at(`${DRAFT}/sources.zip`))),
  "GET /api/drafts/{draft_id}/packed": ofAll(reads(at(`${DRAFT}/packed`))),
  "POST /api/commits": ofAll(
    writes("POST", at("/api/commits"), [() => json({ versions: [{ kind: "tool", id: "say", version: "1.0.0" }] })]),
  ),
  "POST /api/draft-imports": ofAll(writes("POST", at("/api/draft-imports"), [() => ({ body: "no zip" })])),
  "POST /api/draft-imports/url": ofAll(
    writes("POST", at("/api/draft-imports/url"), [() => json({ url: "https://example.org/a.cwl" })]),
  ),
  "GET /api/draft-groups/{group_id}": ofAll(reads(at(GROUP))),
  "POST /api/draft-groups/{group_id}/tests": ofAll(writes("POST", at(`${GROUP}/tests`), [() => ({})])),
  "POST /api/draft-groups/{group_id}/publish": ofAll(
    writes("POST", at(`${GROUP}/publish`), [() => json({ drafts: [{ draft_id: GROUP.slice(-36), revision: 1 }] })]),
  ),
  "DELETE /api/draft-groups/{group_id}": ofAll(writes("DELETE", at(GROUP), [() => ({})])),
  "GET /api/drafts/{draft_id}/editors": ofAll(reads(at(`${DRAFT}/editors`))),
  "POST /api/drafts/{draft_id}/editors": ofAll(
    writes("POST", at(`${DRAFT}/editors`), [() => json({ editor: "019a9c5e-7b1a-4cc0-8000-000000000002" })]),
  ),
  "GET /api/drafts/{draft_id}/check": ofAll(reads(at(`${DRAFT}/check`))),
  "POST /api/drafts/{draft_id}/runs": ofAll(writes("POST", at(`${DRAFT}/runs`), [() => json({})])),
  "POST /api/drafts/{draft_id}/plans": ofAll(writes("POST", at(`${DRAFT}/plans`), [() => json({})])),
  "POST /api/drafts/{draft_id}/publish": ofAll(
    writes("POST", at(`${DRAFT}/publish`), [() => json({ version: "1.0.0" }, { "if-match": '"1"' })]),
  ),
  "GET /api/subscriptions": ofAll(reads(at("/api/subscriptions"))),
  "POST /api/subscriptions": ofRun(
    writes("POST", at("/api/subscriptions"), [
      ({ runId }) =>
        json({
          channel: "webhook",
          name: "x",
          scope: { run_id: runId },
          triggers: ["failure"],
          url: "http://a.example",
        }),
    ]),
  ),
  "DELETE /api/subscriptions/{subscription_id}": ofAll(writes("DELETE", at(SUBSCRIPTION), [() => ({})])),
  "POST /api/subscriptions/{subscription_id}/test": ofAll(writes("POST", at(`${SUBSCRIPTION}/test`), [() => ({})])),
  "GET /api/subscriptions/{subscription_id}/deliveries": ofAll(reads(at(`${SUBSCRIPTION}/deliveries`))),
  "POST /api/subscriptions/{subscription_id}/deliveries/{delivery_id}/resend": ofAll(
    writes("POST", at(`${SUBSCRIPTION}/deliveries/019a9c5e-7b1a-4cc0-8000-000000000003.1/resend`), [() => ({})]),
  ),
  "GET /api/automations": ofAll(reads(at("/api/automations"))),
  "POST /api/automations": ofAll(writes("POST", at("/api/automations"), [() => json(NIGHTLY)])),
  "POST /api/automation-plans": ofAll(writes("POST", at("/api/automation-plans"), [() => json(NIGHTLY)])),
  "DELETE /api/automations/{automation_id}": ofAll(writes("DELETE", at(AUTOMATION), [() => ({})])),
  "GET /api/automations/{automation_id}/plan": ofAll(reads(at(`${AUTOMATION}/plan`))),
  "GET /api/automations/{automation_id}/history": ofAll(reads(at(`${AUTOMATION}/history`))),
  "POST /api/automations/{automation_id}/pause": ofAll(writes("POST", at(`${AUTOMATION}/pause`), [() => ({})])),
  "POST /api/automations/{automation_id}/resume": ofAll(writes("POST", at(`${AUTOMATION}/resume`), [() => ({})])),
  "GET /api/networks/{id}/feed": ofAll(reads(at("/api/networks/say/feed"))),
  "GET /api/feeds/{subscription_id}": ofAll(reads(at("/api/feeds/019a9c5e-7b1a-4cc0-8000-000000000003?token=x"))),
  "GET /api/documents": ofAll(reads(at("/api/documents"))),
  "GET /api/documents/{path}": ofAll(reads(at("/api/documents/tools/say/1.0.0/say.cwl"))),
  "GET /api/tools/{id}/{version}/tests": ofAll(reads(at("/api/tools/say/1.0.0/tests"))),
  "POST /api/tools/{id}/{version}/tests": ofAll(writes("POST", at("/api/tools/say/1.0.0/tests"), [() => json({})])),
  "GET /api/networks/{id}/tests": ofAll(reads(at("/api/networks/say/tests"))),
  "POST /api/networks/{id}/tests": ofAll(writes("POST", at("/api/networks/say/tests"), [() => json({})])),
  "GET /api/networks": ofAll(reads(at("/api/networks"), [at("?view=url"), at("?q=say")])),
  "GET /api/networks/{id}": ofAll(reads(at("/api/networks/say"))),
  "GET /api/tools": ofAll(reads(at("/api/tools"), [at("?view=url"), at("?q=say")])),
  "GET /api/tools/{id}": ofAll(
    reads(at("/api/tools/say")),
    withHeaders(at("/api/tools/say"), [{ accept: "application/cwl+json" }]),
  ),
  "GET /api/runs/{run_id}/forecast": ofRun(reads(run("/forecast"))),
  "GET /api/runs/{run_id}/sizing": ofRun(reads(run("/sizing"))),
  "GET /api/tools/{id}/{version}/sizing": ofAll(reads(at("/api/tools/say/1.0.0/sizing"))),
  "GET /api/tools/{id}/{version}": ofAll(reads(at("/api/tools/say/1.0.0"))),
  "POST /api/provenance/crates": ofAll(writes("POST", at("/api/provenance/crates"), [() => ({ body: "no zip" })])),
  "POST /api/files": ofAll(writes("POST", at("/api/files?name=a"), [() => ({ body: "x" })])),
  "GET /api/server/queue": ofAll(reads(at("/api/server/queue"), [at("?page_size=500")])),
  "GET /api/server/load": ofAll(reads(at("/api/server/load"), [at("?hours=24")])),
  "GET /api/server/backends": ofAll(reads(at("/api/server/backends"))),
  "GET /api/server/disk": ofAll(reads(at("/api/server/disk"), [at("?process=say"), at("?page_size=500")])),
  "GET /api/server/checks": ofAll(reads(at("/api/server/checks"))),
  "GET /api/server": ofAll(reads(at("/api/server"), [at("?client_version=0.1.0")])),
  "GET /api/audit": ofAll(reads(at("/api/audit"), [at("?principal=oz")])),
  // Without the confirmation, the server does not shut down.
  "POST /shutdown": ofAll(writes("POST", at("/shutdown"), [() => json({ mode: "drain" })])),
  "GET /metrics": ofAll(reads(at("/metrics"))),
  "GET /healthz": ofAll(reads(at("/healthz"))),
  "GET /readyz": ofAll(reads(at("/readyz"))),
  "GET /api/session": ofAll(reads(at("/api/session"))),
  "POST /api/session": ofAll(writes("POST", at("/api/session"), [() => json({ token: "wrong" })])),
  "DELETE /api/session": ofAll(writes("DELETE", at("/api/session"), [() => ({})])),
  "POST /api/events/tickets": ofAll(writes("POST", at("/api/events/tickets"), [() => ({})])),
  "GET /api/wes-documents": ofAll(reads(at("/api/wes-documents"), [at("?page_size=500")])),
  "GET /api/wes-documents/{digest}": ofAll(reads(at(`/api/wes-documents/${NO_DOCUMENT}`))),
  "POST /api/wes-documents/{digest}/approve": ofAll(
    writes("POST", at(`/api/wes-documents/${NO_DOCUMENT}/approve`), [() => ({})]),
  ),
  "POST /api/wes-documents/{digest}/withdraw": ofAll(
    writes("POST", at(`/api/wes-documents/${NO_DOCUMENT}/withdraw`), [() => ({})]),
  ),
  "GET /ga4gh/wes/v1/service-info": ofAll(reads(at("/ga4gh/wes/v1/service-info"))),
  "POST /ga4gh/wes/v1/runs": ofRun(
    writes("POST", at("/ga4gh/wes/v1/runs"), [
      ({ runId, output }) =>
        wesForm({
          workflow_url: "say",
          workflow_params: JSON.stringify({
            script: "true",
            more: { class: "File", location: `weft-data://runs/${runId}/outputs/${output}` },
          }),
        }),
    ]),
  ),
  "GET /ga4gh/trs/v2/service-info": ofAll(reads(at("/ga4gh/trs/v2/service-info"))),
  "GET /ga4gh/trs/v2/toolClasses": ofAll(reads(at("/ga4gh/trs/v2/toolClasses"))),
  "GET /ga4gh/trs/v2/tools": ofAll(reads(at("/ga4gh/trs/v2/tools"), [at("?name=say"), at("?offset=1&limit=1")])),
  "GET /ga4gh/trs/v2/tools/{id}": ofAll(reads(trs())),
  "GET /ga4gh/trs/v2/tools/{id}/versions": ofAll(reads(trs("/versions"))),
  "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}": ofAll(reads(trs("/versions/1.0.0"))),
  "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/descriptor": ofAll(
    reads(trs("/versions/1.0.0/CWL/descriptor")),
    reads(trs("/versions/1.0.0/PLAIN_CWL/descriptor")),
  ),
  "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/descriptor/{path}": ofAll(
    reads(trs("/versions/1.0.0/CWL/descriptor/say.cwl")),
  ),
  "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/tests": ofAll(reads(trs("/versions/1.0.0/CWL/tests"))),
  "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/files": ofAll(reads(trs("/versions/1.0.0/CWL/files"))),
  "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/containerfile": ofAll(
    reads(trs("/versions/1.0.0/containerfile")),
  ),
};
