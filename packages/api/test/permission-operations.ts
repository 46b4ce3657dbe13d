import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import { routes } from "@weft/shared/routes/routes.ts";
import type { RouteId } from "@weft/shared/routes/routes.ts";
import { json, wesForm } from "./test-server.ts";

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
const at = (path: string) => () => path;
const token =
  (name: string) =>
  ({ tokens }: RunNames) =>
    `?page_token=${encodeURIComponent(tokens[name] ?? "")}`;
const revision = { "if-none-match": '"7"' };
const stream = { accept: "text/event-stream" };
const withRun = ({ runId }: RunNames) => `?with=${runId}`;
const fileOf = (location: (names: RunNames) => string) => (names: RunNames) =>
  json({ tool: "say", inputs: { script: "true", more: { class: "File", location: location(names) } } });

/** The variants of requests to routes that name a run, or whose answers may contain data of runs. */
export const ROWS: Partial<Readonly<Record<RouteId, Operation>>> = {
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
  "GET /api/runs/{run_id}/dataset": ofRun(reads(run("/dataset"))),
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
  "GET /api/networks": ofAll(reads(at("/api/networks"), [at("?view=url"), at("?q=say")])),
  "GET /api/tools": ofAll(reads(at("/api/tools"), [at("?view=url"), at("?q=say")])),
  "GET /api/tools/{id}": ofAll(
    reads(at("/api/tools/say")),
    withHeaders(at("/api/tools/say"), [{ accept: "application/cwl+json" }]),
  ),
  "GET /api/runs/{run_id}/forecast": ofRun(reads(run("/forecast"))),
  "GET /api/runs/{run_id}/sizing": ofRun(reads(run("/sizing"))),
  "GET /api/server/queue": ofAll(reads(at("/api/server/queue"), [at("?page_size=500")])),
  "GET /api/server/load": ofAll(reads(at("/api/server/load"), [at("?hours=24")])),
  "GET /api/server/disk": ofAll(reads(at("/api/server/disk"), [at("?process=say"), at("?page_size=500")])),
  "GET /api/server": ofAll(reads(at("/api/server"), [at("?client_version=0.1.0")])),
  "GET /api/audit": ofAll(reads(at("/api/audit"), [at("?principal=oz")])),
  "GET /api/wes-documents": ofAll(reads(at("/api/wes-documents"), [at("?page_size=500")])),
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
  "GET /ga4gh/trs/v2/tools": ofAll(reads(at("/ga4gh/trs/v2/tools"), [at("?name=say"), at("?offset=1&limit=1")])),
};

/** Values of the parameters of routes that name no run: the only tool, and ids that do not exist. */
const PARAMS: Readonly<Record<string, string>> = {
  ...{ id: "say", version: "1.0.0", version_id: "1.0.0", type: "CWL", path: "say.cwl" },
  digest: `sha256:${"0".repeat(64)}`,
};

/** A plain request to a route that names no run. */
function plain(route: RouteId): Operation {
  const [method = "", template = ""] = route.split(" ");
  const nothing = "019a9c5e-7b1a-4cc0-8000-000000000002";
  const path = template
    .replace("trs/v2/tools/{id}", "trs/v2/tools/tools:say")
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => PARAMS[name] ?? nothing);
  if (method === "GET") return ofAll(reads(at(path)));
  const { body }: RouteDeclaration = routes[route];
  const init = () => (body === undefined ? {} : json({}, { "if-match": '"1"' }));
  return ofAll(writes(method === "POST" ? "POST" : "DELETE", at(path), [init]));
}

/** Every operation with the variants of its requests. */
export const OPERATIONS: Readonly<Record<string, Operation>> = Object.fromEntries(
  // The keys are those of the table.
  (Object.keys(routes) as RouteId[]).map((route) => [route, ROWS[route] ?? plain(route)]),
);
