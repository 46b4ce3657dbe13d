import type { Links } from "@weft/shared/links.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { PlacedFile } from "@weft/shared/records/placed-file.ts";
import type { JobList } from "@weft/shared/records/job-record.ts";
import type { FileOccurrence } from "@weft/shared/records/lineage-record.ts";
import { MAX_RUN_SAMPLES } from "@weft/shared/records/run-parts.ts";
import type { OmittedValues, ProcessReference } from "@weft/shared/records/run-record.ts";
import { giveWay } from "../async/give-way.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { entryUrl } from "../catalog/present-entry.ts";
import type { Caller } from "../port/caller.ts";
import type { EngineRuns, ListedJob } from "../port/engine.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import type { RouteQuery, RouteResult } from "@weft/shared/routes/routes.ts";
import type { DiskAccess } from "../access/disk-access.ts";
import type { Journal } from "../journal/journal.ts";
import type { LogReader } from "../journal/log-reader.ts";
import { decodeToken, encodeToken } from "../journal/page-query.ts";
import { BEFORE_FIRST, type KilledJobs } from "../journal/read-jobs.ts";
import type { JobRow, RunRow } from "../journal/rows.ts";
import { jobRecord, presentJobSummary } from "../present/present-job.ts";
import { FileOrigins } from "../present/file-origins.ts";
import { presentFile } from "../present/present-file.ts";
import { presentRun, presentRunSummary, presentStatus } from "../present/present-run.ts";
import { presentPruned, presentStorage } from "../present/present-storage.ts";
import { presentValues } from "../present/present-values.ts";
import { withWaitingReason, type WhyWaiting } from "../present/why-waiting.ts";
import { JobOrders } from "./job-orders.ts";
import type { ReadPool } from "../read/read-pool.ts";
import type { runTasks } from "./run-tasks.ts";
import { requireVisibleJob, requireVisibleRun, visibleOwner } from "../access/visible-runs.ts";

const PAGE_SIZE = 50;
const JOB_PAGE_SIZE = 100;
const SHOWN_RETRIES = 20;
const SHOWN_KILLED_JOBS = 1000;
const NONE_KILLED: KilledJobs = { jobs: [], count: 0 };

/** The record of a run shows values up to this size, as they are recorded: it stays below 100 KB. */
const SHOWN_VALUE_BYTES = 24 * 1024;

/** The log, and the facts that it does not contain. */
export interface QueryContext {
  readonly journal: Pick<Journal, "read" | "nowMs">;
  readonly whyWaiting: WhyWaiting;
  readonly catalog: Catalog;
  /** Absolute path. */
  readonly runsFolder: string;
  readonly access: DiskAccess;
  readonly reads: ReadPool;
}

/** Queries about runs that several parts of the server ask. */
export function createRunQueries({ journal, whyWaiting, catalog, reads, runsFolder, access }: QueryContext) {
  const { read } = journal;
  const { text } = reads.of<typeof runTasks>("runs");
  return {
    list: (caller, query) => listRuns(caller, query, journal),
    get: (caller, runId) =>
      read.snapshot(() => getRun(caller, requireVisibleRun(read, runId, caller), { journal, catalog })),
    filled: async (caller, runId, record, places) =>
      text(caller, "filled", requireVisibleRun(read, runId, caller).runId, record, places),
    status: (caller, runId) => presentStatus(requireVisibleRun(read, runId, caller), journal.nowMs()),
    jobs: (caller, runId, query) =>
      read.snapshot(() =>
        listJobs(requireVisibleRun(read, runId, caller), { query, read, whyWaiting, present: listedJob(caller) }),
      ),
    job: (caller, runId, jobId) =>
      jobRecord(caller, withWaitingReason(requireVisibleJob(read, { runId, jobId }, caller), whyWaiting), {
        ...{ read, runsFolder, access },
      }),
    names: (caller, runIds) => namesOf(caller, runIds, read),
  } satisfies Partial<EngineRuns>;
}

/** Queries about runs that only the API asks. */
export function runQueryMethods({ journal, whyWaiting, reads }: QueryContext): RouteMethods {
  const { read } = journal;
  const { ask, text } = reads.of<typeof runTasks>("runs");
  const orders = new JobOrders((caller, ...asked) => ask(caller, "jobOrder", ...asked), journal.nowMs);
  return {
    "GET /api/runs/{run_id}/jobs": async ({ caller, params, query }) =>
      tableOfJobs(caller, requireVisibleRun(read, params.run_id, caller), { query, read, whyWaiting, orders }),
    "GET /api/runs/{run_id}/timeline": async ({ caller, params, query: { after = BEFORE_FIRST } }) =>
      text(caller, "jobTimes", requireVisibleRun(read, params.run_id, caller).runId, after),
    "GET /api/runs/{run_id}/samples": async ({ caller, params, query }) =>
      text(caller, "jobsBySample", requireVisibleRun(read, params.run_id, caller).runId, query),
    "GET /api/provenance/files": ({ caller, query }) => findFiles(caller, query, read),
  };
}

function listRuns(
  caller: Caller,
  query: Parameters<EngineRuns["list"]>[1],
  { read, nowMs }: Pick<Journal, "read" | "nowMs">,
): ReturnType<EngineRuns["list"]> {
  const { entries, total, nextPageToken } = read.runs({
    states: query.state,
    kind: query.tool === undefined ? (query.network === undefined ? undefined : "network") : "tool",
    processId: query.tool ?? query.network,
    tag: query.tag,
    archived: query.archived === "all" ? undefined : query.archived === "only",
    pinned: query.pinned,
    owner: query.owner,
    visibleOwner: visibleOwner(caller),
    sinceMs: query.since === undefined ? undefined : Date.parse(query.since),
    untilMs: query.until === undefined ? undefined : Date.parse(query.until),
    text: query.q,
    ascending: query.sort === "created_at",
    pageSize: query.page_size ?? PAGE_SIZE,
    pageToken: query.page_token,
  });
  return {
    runs: entries.map((row) =>
      query.view === "url" ? caller.links.run(row.runId) : presentRunSummary(row, caller.links, nowMs()),
    ),
    total,
    next_page_token: nextPageToken,
  };
}

function getRun(
  caller: Caller,
  row: RunRow,
  { journal, catalog }: { readonly journal: Pick<Journal, "read" | "nowMs">; readonly catalog: Catalog },
): ReturnType<EngineRuns["get"]> {
  const { read, nowMs } = journal;
  const shown = (digest: string | null) =>
    digest === null || read.blobBytes(digest) > SHOWN_VALUE_BYTES ? null : digest;
  const [inputs, outputs, placed] = [shown(row.inputs), shown(row.outputs), shown(row.placed)];
  const details = {
    inputs: inputs === null ? null : presentValues(read.blobToShow(inputs), caller.links),
    outputs: outputs === null ? null : presentValues(read.blobToShow(outputs), caller.links),
    // written by end-run.ts
    placed: placed === null ? null : (JSON.parse(read.blob(placed)) as PlacedFile[]),
    omitted: omittedOf(row, read),
    creation: read.creation(row.runId),
    steps: read.steps(row.runId),
    samples: read.samples(row.runId, MAX_RUN_SAMPLES),
    killedJobs:
      row.abort === null ? NONE_KILLED : read.killedJobs(row.runId, row.abort.requested_ms, SHOWN_KILLED_JOBS),
    storage: presentStorage(read.storage(row.runId)),
    pruned: read.prunedOf(row.runId).map(presentPruned),
    outstandingJobs: row.state === "CANCELING" ? read.openJobIds(row.runId, 100) : [],
    retryOf: row.retryOf === null ? null : (read.run(row.retryOf, visibleOwner(caller)) ?? null),
    retriedBy: read.retriesOf(row.runId, SHOWN_RETRIES, visibleOwner(caller)),
    newest: newestDocument(row, catalog, caller.links),
  };
  return presentRun(row, details, { links: caller.links, nowMs: nowMs() });
}

/** The newest document of the catalog; null if the run was started with it, or the catalog no longer has one. */
function newestDocument(row: RunRow, catalog: Catalog, links: Links): ProcessReference | null {
  const entry = catalog.newest(row.kind, row.processId);
  if (entry === undefined || entry.digest === row.processDigest) return null;
  const label = entry.process?.label;
  const { id, version } = entry.place;
  return {
    id,
    version,
    digest: entry.digest,
    url: entryUrl(entry, links),
    ...(label === undefined ? {} : { label }),
  };
}

/** The sizes of the values that the record omits; undefined if it shows all of them. */
function omittedOf(row: RunRow, read: LogReader): Omit<OmittedValues, "url"> | undefined {
  const large = (["inputs", "outputs", "placed"] as const).flatMap((name) => {
    const bytes = row[name] === null ? 0 : read.blobBytes(row[name]);
    return bytes > SHOWN_VALUE_BYTES ? [[`${name}_bytes`, bytes] as const] : [];
  });
  return large.length === 0 ? undefined : Object.fromEntries(large);
}

type JobTableQuery = RouteQuery<"GET /api/runs/{run_id}/jobs">;

interface JobListing<Query> {
  readonly query: Query;
  readonly read: LogReader;
  readonly whyWaiting: WhyWaiting;
}

/** Whether indexes of the log can answer the query in queue order. */
function isIndexed({
  sort = "n",
  state: _state,
  sample: _sample,
  page_size: _size,
  page_token: _token,
  ...others
}: JobTableQuery) {
  return sort === "n" && Object.values(others).every((value) => value === undefined);
}

function listJobs<Shown>(
  row: RunRow,
  {
    query,
    read,
    whyWaiting,
    present,
  }: JobListing<Parameters<EngineRuns["jobs"]>[2]> & { readonly present: (job: JobRow) => Shown },
): { jobs: Shown[]; total: JobList["total"]; next_page_token: string } {
  const { entries, total, nextPageToken } = read.jobs(row.runId, {
    states: query.state,
    sample: query.sample,
    pageSize: query.page_size ?? JOB_PAGE_SIZE,
    pageToken: query.page_token,
  });
  const jobs = entries.map((job) => present(withWaitingReason(job, whyWaiting)));
  return { jobs, total, next_page_token: nextPageToken };
}

function listedJob({ links }: Caller): (row: JobRow) => ListedJob {
  return (row) => ({
    ...presentJobSummary(row, links),
    command: row.command,
    ...(row.stderrTail === null ? {} : { stderr_tail: row.stderrTail }),
  });
}

/** Pages through an order of all matching jobs; reads only the rows of the page here. */
async function tableOfJobs(
  caller: Caller,
  row: RunRow,
  { query, read, whyWaiting, orders }: JobListing<JobTableQuery> & { readonly orders: JobOrders },
): Promise<JobList> {
  const present = (job: JobRow) => presentJobSummary(job, caller.links);
  if (isIndexed(query)) return listJobs(row, { query, read, whyWaiting, present });
  const { skip = 0, page_size: size = JOB_PAGE_SIZE, page_token: token, ...wanted } = query;
  const [, from = skip] = decodeToken(token, ["string", "number"]) ?? [];
  const order = await orders.get(caller, row, wanted);
  const first = Math.max(0, Number(from));
  const next = first + size;
  const jobs = read
    .jobsByNumber(row.runId, [...order.subarray(first, next)])
    .map((job) => present(withWaitingReason(job, whyWaiting)));
  return { jobs, total: order.length, next_page_token: next < order.length ? encodeToken(["at", next]) : "" };
}

async function findFiles(
  caller: Caller,
  query: RouteQuery<"GET /api/provenance/files">,
  read: LogReader,
): Promise<RouteResult<"GET /api/provenance/files">> {
  const within = (["step", "sample", "port"] as const).find((name) => query[name] !== undefined);
  const owner = visibleOwner(caller);
  if (within !== undefined && query.run === undefined) throw needsRun(within);
  const { entries, total, nextPageToken } = read.files({
    runId: query.run,
    jobId: query.job,
    step: query.step,
    sampleId: query.sample,
    port: query.port,
    visibleOwner: owner,
    scope: query.scope,
    direction: query.direction,
    text: query.q,
    ...contentQuery(query.checksum),
    tool: query.tool,
    toolVersion: query.version,
    pageSize: query.page_size ?? PAGE_SIZE,
    pageToken: query.page_token,
  });
  const origins = new FileOrigins(read, { links: caller.links, visibleOwner: owner });
  const files: FileOccurrence[] = [];
  for (const file of entries) {
    files.push(presentFile(file, read, origins, caller.links));
    await giveWay();
  }
  return { files, total, next_page_token: nextPageToken };
}

function namesOf(caller: Caller, runIds: readonly string[], read: LogReader): Readonly<Record<string, string>> {
  const found = runIds.flatMap((runId) => read.run(runId, visibleOwner(caller)) ?? []);
  return Object.fromEntries(found.map(({ runId, name }) => [runId, name]));
}

function needsRun(parameter: string): Refusal {
  return new Refusal("invalid-parameters", `\`${parameter}\` narrows the files of one run; give \`run\` too.`, {
    errors: [{ parameter, code: "needs-run", detail: "only together with `run`" }],
  });
}

/** Parses a checksum query: `sha1$…`, `sha256:…`, or bare digits, whose number determines the algorithm. */
function contentQuery(text: string | undefined): { readonly checksum?: string; readonly sha256?: string } {
  if (text === undefined) return {};
  const [, kind, digits = ""] = /^(?:(sha1|sha256)[$:])?([0-9a-f]+)$/i.exec(text.trim()) ?? [];
  const isSha256 = kind?.toLowerCase() === "sha256" || (kind === undefined && digits.length === 64);
  if (isSha256) return { sha256: digits.toLowerCase() };
  return { checksum: digits === "" ? text : `sha1$${digits.toLowerCase()}` };
}
