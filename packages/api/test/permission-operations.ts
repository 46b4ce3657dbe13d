import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import { routes, type RouteId } from "@weft/shared/routes/routes.ts";
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

/** One request to a route, with `{run_id}`, `{job_id}`, `{output}`, `{own}` or the name of a page token in braces. */
interface Template {
  /** A query, or another path; absent: the path of the route. */
  readonly at?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Fields of a WES request instead of a body. */
  readonly form?: Readonly<Record<string, string>>;
}

const REVISION = { headers: { "if-none-match": '"7"' } };
const RANGES = ["bytes=0-0", "bytes=999-"].map((range) => ({ headers: { range } }));
const STREAM = { accept: "text/event-stream" };
const FILE = "weft-data://runs/{run_id}/outputs/{output}";
const FILE_INPUT = { script: "true", more: { class: "File", location: FILE } };
const runWith = (location: string) => ({ tool: "say", inputs: { script: "true", more: { class: "File", location } } });
const ECHO = { tool: "say", inputs: { script: "echo" } };
const dataset = (location: string) => ({
  ...{ location, pattern: "**/{x}", per: ["x"], columns: [{ kind: "file", name: "x" }] },
});
const WEBHOOK = { channel: "webhook", name: "x", triggers: ["failure"], url: "http://a.example" };

/**
 * The requests to routes that name a run, or whose answers may contain data of runs. A text is a query, or another path, that is
 * read by GET and by HEAD.
 */
export const ROWS: Partial<Readonly<Record<RouteId, readonly (string | Template)[]>>> = {
  "GET /api/runs/{run_id}": ["", REVISION],
  "GET /api/runs/{run_id}/status": [
    ...["", { headers: { prefer: "wait=0" } }, { headers: { prefer: "wait=1" } }],
    { headers: { prefer: "wait=1", ...REVISION.headers } },
  ],
  "POST /api/runs/{run_id}/retry": [
    ...[{ body: {} }, { body: { name: "x" } }, { body: {}, headers: { "idempotency-key": "k" } }],
    ...[{ body: { inputs: { script: 5 } } }, { at: "?dry_run=true", body: {} }],
  ],
  "POST /api/runs/{run_id}/retry-plan": [{ body: {} }],
  "POST /api/runs/{run_id}/describe": [{ body: { name: "x" } }, { body: { note: "n", tags: { a: "b" } } }],
  "POST /api/runs/describe": [
    { body: { run_ids: ["{run_id}"], archived: true } },
    { body: { run_ids: ["{run_id}"], add_tags: { a: "b" }, remove_tags: ["c"] } },
  ],
  "POST /api/runs/{run_id}/pause": [{}],
  "POST /api/runs/{run_id}/resume": [{}],
  "DELETE /api/runs/{run_id}": [{}, REVISION],
  "GET /api/runs/{run_id}/jobs": [
    ...["", "?page_size=1", "?state=COMPLETE", "?q=main", "?sort=-cpu_ms&skip=1", "?page_token={events}"],
  ],
  "GET /api/runs/{run_id}/timeline": ["", "?after=1", "?after=0"],
  "GET /api/runs/{run_id}/jobs/{job_id}": ["", "/api/runs/{run_id}/jobs/none"],
  "GET /api/runs/{run_id}/jobs/{job_id}/log": [
    ...["", "?stream=stdout", "?stream=stderr", "?tail=1", "?follow=true", "?follow=true&stream=stdout"],
    ...["?follow=true&tail=1", "/api/runs/{run_id}/jobs/none/log", "/api/runs/{run_id}/jobs/none/log?follow=true"],
    ...[...RANGES, REVISION],
  ],
  "GET /api/runs/{run_id}/jobs/{job_id}/bundle": [
    ...["", "?data=true", "?data=false", "/api/runs/{run_id}/jobs/none/bundle"],
  ],
  "GET /api/runs/{run_id}/events": [
    ...["", "?since=1", "?page_size=1", "?page_token={events}"],
    ...[{ headers: STREAM }, { headers: { ...STREAM, "last-event-id": "1" } }],
  ],
  "GET /api/runs/{run_id}/moment": ["", "?at=1", "?number=1"],
  "GET /api/runs/{run_id}/outputs": [""],
  "GET /api/runs/{run_id}/samples": ["", "?page_size=1"],
  "GET /api/runs/{run_id}/results": ["", "?from=1", "?page_size=1", "?q=a"],
  "GET /api/runs/{run_id}/reviews": ["", "?page_size=1"],
  "POST /api/runs/{run_id}/reviews": [{ body: { reviews: [{ sample_id: "none", verdict: "pass" }] } }],
  "GET /api/runs/{run_id}/table/fields": ["", "?with={run_id}"],
  "GET /api/runs/{run_id}/table": ["", "?with={run_id}", "?fields=input.script", "?from=1", "?page_size=1"],
  "GET /api/runs/{run_id}/table/export": ["?format=csv", "?format=parquet&fields=input.script"],
  "GET /api/runs/{run_id}/outputs.zip": [""],
  "GET /api/runs/{run_id}/files/{path}": [
    ...["", "?download=true", "/api/runs/{run_id}/files/outputs/none"],
    ...["/api/runs/{run_id}/files/jobs/{job_id}/stderr-missing", { headers: { range: "bytes=0-0" } }, REVISION],
  ],
  "GET /api/runs/{run_id}/provenance": [...["", "?format=prov-json", "?format=ro-crate", "?format=ro-crate-metadata"]],
  "GET /api/runs/{run_id}/lineage": ["", "?depth=1", "?depth=5"],
  "GET /api/runs/{run_id}/comparison": [
    ...["?with={own}", "?with={own}&relative=0.1", "?with={own}&absolute=1"],
    ...["/api/runs/{own}/comparison?with={run_id}", "?with={run_id}"],
  ],
  "POST /api/runs/{run_id}/reproduce": [{ body: {} }, {}, { body: { tolerance: { relative: 0, absolute: 0 } } }],
  "GET /ga4gh/wes/v1/runs/{run_id}": [""],
  "GET /ga4gh/wes/v1/runs/{run_id}/stderr": [""],
  "GET /ga4gh/wes/v1/runs/{run_id}/status": [""],
  "POST /ga4gh/wes/v1/runs/{run_id}/cancel": [{}],
  "GET /ga4gh/wes/v1/runs/{run_id}/tasks": ["", "?page_size=1", "?page_token={events}"],
  "GET /ga4gh/wes/v1/runs/{run_id}/tasks/{task_id}": ["", "/ga4gh/wes/v1/runs/{run_id}/tasks/none"],
  "POST /api/runs": [
    ...[FILE, "http://127.0.0.1/api/runs/{run_id}/files/outputs/{output}", "weft-data://runs/{run_id}/"].map(
      (location) => ({ body: runWith(location) }),
    ),
    ...[runWith(FILE), ECHO].map((body) => ({ at: "?dry_run=true", body })),
  ],
  "POST /api/plans": [{ body: runWith(FILE) }, { body: ECHO }],
  "POST /api/prune": [
    ...[{ body: { run_id: "{run_id}" } }, { body: { run_id: "{run_id}", parts: ["logs"] } }],
    { at: "?dry_run=true", body: { run_id: "{run_id}" } },
  ],
  "GET /api/provenance/files": [
    ...["", "&job={job_id}", "&direction=output", "&scope=run", "&q=text"].map((query) => `?run={run_id}${query}`),
    ...["", "?q=text", "?tool=say", "?page_token={files}", "?page_size=500"],
  ],
  "GET /api/runs": [
    ...["", "?owner=oz", "?q=secret", "?state=RUNNING", "?tool=say", "?view=url", "?sort=created_at"],
    ...["?page_size=500", "?page_token={runs}"],
  ],
  "GET /api/events": [
    ...["", "?since=0&page_size=500", "?page_token={allEvents}", { at: "?since=0", headers: STREAM }],
    { at: "?since=0", headers: { ...STREAM, "last-event-id": "0" } },
  ],
  "GET /ga4gh/wes/v1/runs": ["", "?page_size=500", "?state=RUNNING", "?page_token={runs}"],
  "GET /api/files": [
    ...["", "?location=weft-data://runs/", "?location=weft-data://uploads/"],
    `?location=${encodeURIComponent("weft-data://runs/RUN/outputs/").replace("RUN", "{run_id}")}`,
  ],
  "GET /api/datasets/detail": ["", "?location=weft-data://catalog/&pattern={x}"],
  "GET /api/datasets/files": ["", "?location=weft-data://catalog/&pattern={x}"],
  "POST /api/datasets/query": [
    { body: dataset("weft-data://catalog/") },
    { body: dataset("weft-data://runs/{run_id}/") },
  ],
  "GET /api/dataset-queries": ["", "?network=say"],
  "GET /api/runs/{run_id}/dataset": [""],
  "POST /api/subscriptions": [{ body: { ...WEBHOOK, scope: { run_id: "{run_id}" } } }],
  "GET /api/networks": ["", "?view=url", "?q=say"],
  "GET /api/tools": ["", "?view=url", "?q=say"],
  "GET /api/tools/{id}": ["", { headers: { accept: "application/cwl+json" } }],
  "GET /api/runs/{run_id}/forecast": [""],
  "GET /api/runs/{run_id}/sizing": [""],
  "GET /api/server/queue": ["", "?page_size=500"],
  "GET /api/server/load": ["", "?hours=24"],
  "GET /api/server/disk": ["", "?process=say", "?page_size=500"],
  "GET /api/server": ["", "?client_version=0.1.0"],
  "GET /api/audit": ["", "?principal=oz"],
  "GET /api/wes-documents": ["", "?page_size=500"],
  "POST /ga4gh/wes/v1/runs": [{ form: { workflow_url: "say", workflow_params: JSON.stringify(FILE_INPUT) } }],
  "GET /ga4gh/trs/v2/tools": ["", "?name=say", "?offset=1&limit=1"],
};

/** Values of the parameters of routes that name no run: the only tool, and ids that do not exist. */
const PARAMS: Readonly<Record<string, string>> = {
  ...{ id: "say", version: "1.0.0", version_id: "1.0.0", type: "CWL", path: "say.cwl" },
  digest: `sha256:${"0".repeat(64)}`,
};

/** The path of a route, with values for the parameters that do not name a run. */
function pathOf(route: RouteId): string {
  const nothing = "019a9c5e-7b1a-4cc0-8000-000000000002";
  return (route.split(" ")[1] ?? "")
    .replace("trs/v2/tools/{id}", "trs/v2/tools/tools:say")
    .replace("/files/{path}", route.includes("{run_id}") ? "/files/outputs/{output}" : "/files/{path}")
    .replaceAll(/\{(\w+)\}/g, (part, name: string) =>
      ["run_id", "job_id", "task_id", "output"].includes(name) ? part : (PARAMS[name] ?? nothing),
    );
}

/** Puts names into a text; other words in braces stay. */
function filled(text: string, { runId, jobId, output, own, tokens }: RunNames): string {
  const encoded = Object.entries(tokens).map(([name, token]) => [name, encodeURIComponent(token)]);
  const names = { run_id: runId, job_id: jobId, task_id: jobId, output, own, ...Object.fromEntries(encoded) };
  return text.replaceAll(/\{(\w+)\}/g, (part, name: string) => names[name] ?? part);
}

function variantsOf(route: RouteId, row: string | Template): { variants: Variant[]; namesRun: boolean } {
  const { at = "", headers = {}, body, form }: Template = typeof row === "string" ? { at: row } : row;
  const path = at.startsWith("/") ? at : pathOf(route) + at;
  const text = JSON.stringify(body ?? form ?? "");
  const methods = typeof row === "string" ? ["GET", "HEAD"] : [route.split(" ")[0] ?? ""];
  const initOf = (names: RunNames): RequestInit => {
    if (form !== undefined) return wesForm(JSON.parse(filled(text, names)));
    return body === undefined ? { headers } : json(filled(text, names), headers);
  };
  const variants = methods.map((method): Variant => (names) => ({
    method,
    path: filled(path, names),
    init: initOf(names),
  }));
  return { variants, namesRun: (path + text).includes("{run_id}") };
}

/** A plain request to a route that names no run. */
function plain(route: RouteId): readonly (string | Template)[] {
  const { body }: RouteDeclaration = routes[route];
  if (route.startsWith("GET ")) return [""];
  return [body === undefined ? {} : { body: {}, headers: { "if-match": '"1"' } }];
}

/** Every operation with the variants of its requests. */
export const OPERATIONS: Readonly<Record<string, Operation>> = Object.fromEntries(
  // The keys are those of the table.
  (Object.keys(routes) as RouteId[]).map((route) => {
    const all = (ROWS[route] ?? plain(route)).map((row) => variantsOf(route, row));
    const those = (namesRun: boolean) => all.filter((one) => one.namesRun === namesRun).flatMap((one) => one.variants);
    return [route, { ofRun: those(true), ofAll: those(false) }];
  }),
);
