import { tmpdir } from "node:os";
import type { TestContext } from "node:test";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { EngineOptions } from "@weft/engine/app/engine-options.ts";
import { ask } from "@weft/engine/testing/ask-engine.ts";
import type { RouteMethods } from "@weft/engine/port/route-methods.ts";
import { allowHosts, WEBHOOKS } from "@weft/engine/files/remote/http-policy.ts";
import { caller, startRun } from "@weft/engine/testing/drive-runs.ts";
import { routes, type RouteId } from "@weft/shared/routes/routes.ts";
import { JOB_ID, json, wesForm, type TestServer } from "./test-server.ts";
import { datasetsOf } from "@weft/engine/testing/ask-datasets.ts";
import { draftsOf } from "@weft/engine/testing/ask-drafts.ts";

/** Signs in to servers whose login accepts this token. */
export const ADMIN_TOKEN = "s".repeat(43);

const TIMEOUTS = { connectTimeoutMs: 5000, idleTimeoutMs: 5000, environment: {} };
const POLICY = allowHosts(["127.0.0.1"], WEBHOOKS);

/** The engine of a server that answers every route. */
export const HAPPY_ENGINE = {
  maxUploadBytes: 200_000,
  sinks: { folders: { results: tmpdir() }, umask: 0o022 },
  downloadSettings: { policy: POLICY, maxBytes: 200_000, retryDelaysMs: [], ...TIMEOUTS },
  notifications: { webhooks: { policy: POLICY, ...TIMEOUTS }, delaysMs: [3_600_000] },
  actAs: () => ({ caller, role: "admin" }),
  wesDocuments: { hosts: [] },
} satisfies Partial<EngineOptions>;

const TOOL = { kind: "tool", id: "smooth", version: "1.0.0" } as const;
const UPGRADE = { ...TOOL, version: "2.0.0", networks: ["imaging-cohort"] };
const BASED = { kind: "tool", id: "smooth", based_on: "1.0.0" } as const;
const LOCATION = "weft-data://study/";
const QUERY = { location: LOCATION, per: ["sub"], columns: [{ kind: "file", name: "images" } as const] };
const SAVED = { name: "Elderly", network: "imaging-cohort", query: QUERY };
const WEBHOOK = {
  ...{ channel: "webhook" as const, name: "Night", scope: { network: "imaging-cohort" } },
  ...{ triggers: ["failure" as const], url: "http://127.0.0.1:9/hook" },
};
const NIGHTLY = {
  ...{ name: "Night", network: "imaging-cohort", mode: "new" as const, settle_s: 60, max_runs_per_day: 24 },
  trigger: { kind: "schedule" as const, cron: "0 3 * * *", time_zone: "Europe/Berlin" },
};
const CHANGE = { do: "write", path: "tests/one-subject.yml", text: "outputs: {}" };
const DOCUMENT = "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: 'true'\ninputs: {}\noutputs: {}\n";

/** Creates one resource of each kind, and a second one of each kind that a request removes. */
export async function prepareHappy({ engine }: TestServer) {
  const { wesDocuments, files } = engine;
  const drafts = draftsOf(engine);
  const zip = await buffer((await drafts.sources(caller, TOOL)).open());
  const importZip = () =>
    drafts.importZip(caller, { content: Readable.from([zip]), title: "tools.zip", collisions: "new-version" });
  const draft = await drafts.create(caller, BASED);
  const group = await importZip();
  const webhook = await ask(engine, "POST /api/subscriptions", { caller, body: WEBHOOK });
  const { url: _url, ...feed } = WEBHOOK;
  const { feed_url } = await ask(engine, "POST /api/subscriptions", {
    caller,
    body: { ...feed, channel: "feed", triggers: ["success"] },
  });
  const { pathname, searchParams } = new URL(feed_url ?? "");
  const { location } = await files.upload(caller, "main.cwl", Readable.from([DOCUMENT]));
  const document = { files: new Map([["main.cwl", location]]), primary: "main.cwl", source: "main.cwl" };
  return {
    zip,
    draft: draft.draft_id,
    text: `${draft.text}label: Smooth\n`,
    removedDraft: (await drafts.create(caller, BASED)).draft_id,
    group: group.group_id,
    grouped: group.drafts.map(({ draft: { draft_id, revision } }) => ({ draft_id, revision })),
    removedGroup: (await importZip()).group_id,
    query: (await datasetsOf(engine).save(caller, { body: SAVED })).query_id,
    subscription: webhook.subscription_id,
    delivery: await failedDelivery(engine, webhook.subscription_id),
    feed: pathname.slice(pathname.lastIndexOf("/") + 1),
    token: searchParams.get("token") ?? "",
    automation: (await ask(engine, "POST /api/automations", { caller, body: NIGHTLY })).automation_id,
    digest: (await wesDocuments.add({ ...caller, mayAddDocuments: true }, document)).digest,
  };
}

/** Commits need git, so a test answers them. */
export function mockCommits(t: TestContext, { methods }: TestServer["engine"]): void {
  const answer = { state: "unchanged" as const, commit: null, paths: [], output: "" };
  t.mock.method(methods as Required<RouteMethods>, "POST /api/commits", () => answer); // the engine has the method
}

/** The id of a delivery whose next attempt comes long after the test. */
async function failedDelivery(engine: TestServer["engine"], id: string): Promise<string> {
  const attempted = Promise.withResolvers<void>();
  const unsubscribe = engine.events.subscribe((batch) => {
    if (batch.visibleTo(caller).some(({ type }) => type === "notification.attempted")) attempted.resolve();
  });
  const { delivery_id: delivery } = await ask(engine, "POST /api/subscriptions/{subscription_id}/test", {
    caller,
    params: { subscription_id: id },
  });
  await attempted.promise;
  unsubscribe();
  return delivery;
}

/** The id of a run that has ended, with a file, a warning and a sample. */
export async function prepareEndedRun({ startRun: start }: TestServer, query: string, owner?: string): Promise<string> {
  const run = await start(owner, { network: "imaging-cohort", dataset: { query_id: query } });
  run.write("a b.html", "<p>");
  run.warn("a warning");
  await run.end();
  return run.id;
}

/** The id of a run that does not end by itself. Its job may wait for a core forever. */
export function prepareOpenRun({ engine }: TestServer, owner = "local"): Promise<string> {
  return startRun(engine, { network: "imaging-cohort" }, { ...caller, principal: owner });
}

/** `run` has ended, and `open` has not. */
export type HappyNames = Awaited<ReturnType<typeof prepareHappy>> & { readonly run: string; readonly open: string };

/** One request, with the status of the answer if it succeeds. */
export type HappyRequest = readonly [route: RouteId, request: string, status: number, init: RequestInit];

/** A request for every declared route, in an order in which all of them can be sent. */
export function happyRequests(server: Pick<TestServer, "address">, names: HappyNames): readonly HappyRequest[] {
  const all: Readonly<Record<string, string>> = {
    ...{ run_id: names.run, job_id: JOB_ID, task_id: JOB_ID, draft_id: names.draft, group_id: names.group },
    ...{ query_id: names.query, subscription_id: names.subscription, delivery_id: names.delivery },
    ...{ automation_id: names.automation, digest: names.digest, version: "1.0.0", version_id: "current", type: "CWL" },
  };
  const rows = new Map<string, Row>(Object.entries(rowsOf(names, server)));
  const reads = Object.keys(routes).filter((route) => !rows.has(route));
  return [...reads.map((route): [string, Row] => [route, {}]), ...rows].map(
    ([route, { status = 200, query = "", params, ...init }]) => {
      const id = route.includes("/networks") ? "imaging-cohort" : route.includes("/trs/") ? NETWORK : "smooth";
      const path = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => ({ id, ...all, ...params })[name] ?? "");
      // The keys are those of the tables.
      return [route as RouteId, path + query, status, init];
    },
  );
}

const NETWORK = "networks:imaging-cohort";

/** Parts of a request besides the ids in its route. */
interface Row extends RequestInit {
  /** Absent: the prepared ids. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Absent: 200. */
  readonly status?: number;
}

function revision(number: number) {
  return { "if-match": `"${number}"` };
}

/** Every route but those that only read and need no more than ids. */
type Rows = Readonly<Record<Exclude<RouteId, `GET ${string}`>, Row> & Partial<Record<RouteId, Row>>>;

function rowsOf(names: HappyNames, { address }: Pick<TestServer, "address">): Rows {
  const open = { params: { run_id: names.open } };
  return {
    "GET /api/networks": { query: "?page_size=5" },
    "GET /api/tools": { query: "?view=url" },
    "POST /api/tools/{id}/{version}/tests": { status: 202, ...json({ tests: ["one-subject"] }) },
    "POST /api/networks/{id}/tests": { status: 202, ...json({}) },
    "POST /api/drafts": { status: 201, ...json(BASED) },
    "POST /api/drafts/{draft_id}": json({ text: names.text }, revision(1)),
    "POST /api/drafts/{draft_id}/editors": json({ editor: names.draft }),
    "POST /api/drafts/{draft_id}/runs": { status: 201, ...json({ inputs: { images: [] } }) },
    "POST /api/drafts/{draft_id}/plans": json({ inputs: {} }),
    "POST /api/drafts/{draft_id}/files": json({ changes: [CHANGE] }, revision(2)),
    "GET /api/drafts/{draft_id}/files/{path}": { params: { path: CHANGE.path } },
    "POST /api/drafts/{draft_id}/tests": { status: 202, ...json({}) },
    "POST /api/drafts/{draft_id}/publish": { status: 201, ...json({ version: "1.0.1", anyway: true }, revision(3)) },
    "DELETE /api/drafts/{draft_id}": { status: 204, params: { draft_id: names.removedDraft } },
    "POST /api/commits": json({ versions: [TOOL] }),
    "GET /api/upgrades": { query: "?kind=tool&id=smooth&version=1.0.0" },
    "POST /api/upgrades": { status: 201, ...json(UPGRADE) },
    "POST /api/draft-imports": { status: 201, query: "?title=tools.zip", body: names.zip },
    "POST /api/draft-imports/url": { status: 201, ...json({ url: `${address}/api/tools/smooth/1.0.0/sources.zip` }) },
    "POST /api/draft-groups/{group_id}/tests": { status: 202 },
    "POST /api/draft-groups/{group_id}/publish": { status: 201, ...json({ drafts: names.grouped, anyway: true }) },
    "DELETE /api/draft-groups/{group_id}": { status: 204, params: { group_id: names.removedGroup } },
    "GET /api/datasets/detail": { query: `?location=${LOCATION}` },
    "GET /api/datasets/files": { query: `?location=${LOCATION}&from=0&page_size=5&q=sub` },
    "POST /api/datasets/query": json(QUERY),
    "GET /api/dataset-queries": { query: "?network=imaging-cohort" },
    "POST /api/dataset-queries": { status: 201, ...json({ ...SAVED, name: "Young" }) },
    "POST /api/dataset-queries/{query_id}": json(SAVED, revision(1)),
    "DELETE /api/dataset-queries/{query_id}": { status: 204 },
    "GET /api/documents/{path}": { params: { path: "tools/smooth/1.0.0/smooth.cwl" } },
    "POST /api/subscriptions": { status: 201, ...json(WEBHOOK) },
    "POST /api/subscriptions/{subscription_id}/test": { status: 202 },
    "GET /api/subscriptions/{subscription_id}/deliveries": { query: "?page_size=5" },
    "POST /api/subscriptions/{subscription_id}/deliveries/{delivery_id}/resend": { status: 202 },
    "DELETE /api/subscriptions/{subscription_id}": { status: 204 },
    "GET /api/feeds/{subscription_id}": { params: { subscription_id: names.feed }, query: `?token=${names.token}` },
    "POST /api/automations": { status: 201, ...json(NIGHTLY) },
    "POST /api/automation-plans": json(NIGHTLY),
    "POST /api/automations/{automation_id}/pause": {},
    "POST /api/automations/{automation_id}/resume": {},
    "DELETE /api/automations/{automation_id}": { status: 204 },
    "POST /api/runs": { status: 201, ...json({ network: "imaging-cohort", inputs: { images: [] } }) },
    "POST /api/plans": json({
      network: "imaging-cohort",
      source_data: { images: { a: "weft-data://cohort/a.nii" } },
      sink_data: { report: "vfs://results/{basename}" },
    }),
    "GET /api/runs": { query: "?state=COMPLETE,CANCELED&sort=-created_at" },
    "GET /api/runs/{run_id}/events": { query: "?since=0" },
    "GET /api/runs/{run_id}/moment": { query: "?at=5" },
    "GET /api/runs/{run_id}/samples": { query: "?page_size=1" },
    "GET /api/runs/{run_id}/results": { query: "?from=0&page_size=1&q=sub" },
    "GET /api/runs/{run_id}/reviews": { query: "?page_size=5" },
    "POST /api/runs/{run_id}/reviews": json({ reviews: [{ sample_id: "sub-01", verdict: "pass" }] }),
    "GET /api/runs/{run_id}/table": { query: "?fields=output.measures%2Fvolume&from=0&page_size=5" },
    "GET /api/runs/{run_id}/table/export": { query: "?format=csv" },
    "GET /api/runs/{run_id}/files/{path}": { params: { path: "outputs/a%20b.html" } },
    "GET /api/runs/{run_id}/jobs/{job_id}/bundle": { query: "?data=true" },
    "GET /api/runs/{run_id}/lineage": { query: "?depth=2" },
    "GET /api/runs/{run_id}/comparison": { query: `?with=${names.run}` },
    "POST /api/runs/{run_id}/reproduce": { status: 201, ...json({ tolerance: { relative: 0.01 } }) },
    "POST /api/runs/{run_id}/describe": json({ name: "Night", note: "", tags: { a: "b" } }),
    "POST /api/runs/describe": json({ run_ids: [names.run], archived: true, add_tags: { a: "b" } }),
    "POST /api/runs/{run_id}/pause": open,
    "POST /api/runs/{run_id}/resume": open,
    "POST /api/prune": { query: "?dry_run=true", ...json({}) },
    "POST /api/runs/{run_id}/retry": { status: 201 },
    "POST /api/runs/{run_id}/retry-plan": json({ inputs: { images: [] } }),
    "DELETE /api/runs/{run_id}": { status: 204, ...open },
    "POST /api/files": { status: 201, query: "?name=a.nii", body: "content" },
    "GET /api/provenance/files": { query: "?direction=output" },
    "POST /api/provenance/crates": { status: 201, body: "zip" },
    "GET /api/server/queue": { query: "?page_size=5" },
    "GET /api/server/load": { query: "?hours=1" },
    "GET /api/server/disk": { query: "?process=smooth" },
    "GET /ga4gh/wes/v1/runs": { query: "?page_size=1000" },
    "GET /ga4gh/trs/v2/tools": { query: "?limit=1" },
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/descriptor/{path}": {
      params: { path: "examples/cohort.json" },
    },
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/{type}/files": { params: { type: "PLAIN_CWL" } },
    "GET /ga4gh/trs/v2/tools/{id}/versions/{version_id}/containerfile": { status: 404 },
    "POST /ga4gh/wes/v1/runs": wesForm({ workflow_url: "imaging-cohort" }),
    "GET /api/wes-documents": { query: "?page_size=5" },
    "POST /api/wes-documents/{digest}/approve": {},
    "POST /api/wes-documents/{digest}/withdraw": {},
    "POST /ga4gh/wes/v1/runs/{run_id}/cancel": open,
    "POST /api/session": { status: 204, ...json({ token: ADMIN_TOKEN }) },
    "DELETE /api/session": { status: 204 },
    "POST /api/events/tickets": { status: 201 },
    "POST /shutdown": {
      ...{ status: 202, ...json({ mode: "drain", confirm: "shutdown" }, { "sec-fetch-site": "same-origin" }) },
    },
  };
}
