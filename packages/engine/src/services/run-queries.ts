import type { Limits } from "@weft/shared/limits.ts";
import type { Links } from "@weft/shared/links.ts";
import type { PlacedFile } from "@weft/shared/records/placed-file.ts";
import type { OmittedValues, ProcessReference } from "@weft/shared/records/run-record.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { entryUrl } from "../catalog/present-entry.ts";
import type { Caller, EngineRuns } from "../port/engine.ts";
import type { DiskAccess } from "../access/disk-access.ts";
import type { Journal } from "../journal/journal.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { KilledJobs } from "../journal/read-jobs.ts";
import type { RunRow } from "../journal/rows.ts";
import { jobRecord } from "../present/job-record.ts";
import { presentJobSummary } from "../present/present-job.ts";
import { presentFile } from "../present/present-file.ts";
import { isPartial, presentRun, presentRunSummary, presentStatus } from "../present/present-run.ts";
import { presentPruned, presentStorage } from "../present/present-storage.ts";
import { presentValues } from "../present/present-values.ts";
import { withWaitingReason } from "../present/why-waiting.ts";
import type { WhyWaiting } from "../present/why-waiting.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { ProvenanceThreads } from "../provenance/thread/provenance-threads.ts";
import { runOutputs, wholeOutputs } from "./run-outputs.ts";
import { requireVisibleJob, requireVisibleRun, visibleOwner } from "../access/visible-runs.ts";

const PAGE_SIZE = 50;
const JOB_PAGE_SIZE = 100;
/** An answer does not grow with the number of samples; jobs can be listed by sample. */
const SHOWN_SAMPLES = 1000;
const SHOWN_RETRIES = 20;
const SHOWN_KILLED_JOBS = 1000;
const NONE_KILLED: KilledJobs = { jobs: [], count: 0 };

/** The record of a run shows values up to this size, as they are recorded: it stays below 100 KB. */
const SHOWN_VALUE_BYTES = 24 * 1024;
/** Larger outputs are built in a thread: their passes would delay other requests. */
const OUTPUT_BYTES_HERE = 256 * 1024;

type Queries = Pick<
  EngineRuns,
  "list" | "get" | "filled" | "status" | "jobs" | "job" | "outputs" | "largeOutputs" | "findFiles"
>;

/** What the log does not know. */
export interface QueryContext {
  readonly whyWaiting: WhyWaiting;
  readonly catalog: Catalog;
  /** Absolute path. */
  readonly runsFolder: string;
  readonly access: DiskAccess;
  readonly uris: PortableUris;
  readonly limits: Limits;
  /** Fills large values into records. */
  readonly thread: Pick<ProvenanceThreads, "filled">;
}

/** Every question about runs that the log answers. */
export function createRunQueries(
  journal: Pick<Journal, "read" | "nowMs">,
  { whyWaiting, catalog, uris, limits, thread, ...folders }: QueryContext,
): Queries {
  const { read } = journal;
  return {
    list: (caller, query) => listRuns(caller, query, journal),
    get: (caller, runId) => getRun(caller, requireVisibleRun(read, runId, caller), { journal, catalog }),
    filled: async (caller, runId, record, places) => {
      requireVisibleRun(read, runId, caller);
      return thread.filled(caller, { runId, record, places });
    },
    status: (caller, runId) => presentStatus(requireVisibleRun(read, runId, caller), journal.nowMs()),
    jobs: (caller, runId, query) =>
      listJobs(caller, requireVisibleRun(read, runId, caller), { query, read, whyWaiting }),
    job: (caller, runId, jobId) =>
      jobRecord(caller, withWaitingReason(requireVisibleJob(read, { runId, jobId }, caller), whyWaiting), {
        read,
        ...folders,
      }),
    outputs: async (caller, runId) =>
      runOutputs(caller, requireVisibleRun(read, runId, caller), { journal, catalog, uris, limits }),
    largeOutputs: async (caller, runId) => {
      const row = requireVisibleRun(read, runId, caller);
      if (isPartial(row) || row.outputs === null || read.blobBytes(row.outputs) <= OUTPUT_BYTES_HERE) return undefined;
      return thread.filled(caller, { runId, record: wholeOutputs(runId, null), places: { outputs: ["outputs"] } });
    },
    findFiles: (caller, query) => findFiles(caller, query, read),
  };
}

function listRuns(
  caller: Caller,
  query: Parameters<Queries["list"]>[1],
  { read, nowMs }: Pick<Journal, "read" | "nowMs">,
): ReturnType<Queries["list"]> {
  const { entries, total, nextPageToken } = read.runs({
    states: query.state,
    kind: query.tool === undefined ? (query.network === undefined ? undefined : "network") : "tool",
    processId: query.tool ?? query.network,
    tag: query.tag,
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
): ReturnType<Queries["get"]> {
  const { read, nowMs } = journal;
  const shown = (digest: string | null) =>
    digest === null || read.blobBytes(digest) > SHOWN_VALUE_BYTES ? null : digest;
  const [inputs, outputs, placed] = [shown(row.inputs), shown(row.outputs), shown(row.placed)];
  const details = {
    inputs: inputs === null ? null : presentValues(read.blobToShow(inputs), caller.links),
    outputs: outputs === null ? null : presentValues(read.blobToShow(outputs), caller.links),
    // Written by end-run.ts.
    placed: placed === null ? null : (JSON.parse(read.blob(placed)) as PlacedFile[]),
    omitted: omittedOf(row, read),
    creation: read.creation(row.runId),
    steps: read.steps(row.runId),
    samples: read.samples(row.runId, SHOWN_SAMPLES),
    killedJobs:
      row.abort === null ? NONE_KILLED : read.killedJobs(row.runId, row.abort.requested_ms, SHOWN_KILLED_JOBS),
    storage: presentStorage(read.storage(row.runId)),
    pruned: read.prunedOf(row.runId).map(presentPruned),
    outstandingJobs: row.state === "CANCELING" ? read.openJobIds(row.runId, 100) : [],
    retriedBy: read.retriesOf(row.runId, SHOWN_RETRIES),
    newest: newestDocument(row, catalog, caller.links),
  };
  return presentRun(row, details, { links: caller.links, nowMs: nowMs() });
}

/** Null where it is the one that the run was started with, or the catalog has none any more. */
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

/** Undefined where the record shows everything. */
function omittedOf(row: RunRow, read: LogReader): Omit<OmittedValues, "url"> | undefined {
  const large = (["inputs", "outputs", "placed"] as const).flatMap((name) => {
    const bytes = row[name] === null ? 0 : read.blobBytes(row[name]);
    return bytes > SHOWN_VALUE_BYTES ? [[`${name}_bytes`, bytes] as const] : [];
  });
  return large.length === 0 ? undefined : Object.fromEntries(large);
}

function listJobs(
  caller: Caller,
  row: RunRow,
  {
    query,
    read,
    whyWaiting,
  }: { readonly query: Parameters<Queries["jobs"]>[2]; readonly read: LogReader; readonly whyWaiting: WhyWaiting },
): ReturnType<Queries["jobs"]> {
  const { entries, total, nextPageToken } = read.jobs(row.runId, {
    states: query.state,
    step: query.step,
    sample: query.sample,
    text: query.q,
    pageSize: query.page_size ?? JOB_PAGE_SIZE,
    pageToken: query.page_token,
  });
  const jobs = entries.map((job) => presentJobSummary(withWaitingReason(job, whyWaiting), caller.links));
  return { jobs, total, next_page_token: nextPageToken };
}

function findFiles(
  caller: Caller,
  query: Parameters<Queries["findFiles"]>[1],
  read: LogReader,
): ReturnType<Queries["findFiles"]> {
  const { entries, total, nextPageToken } = read.files({
    runId: query.run,
    jobId: query.job,
    visibleOwner: visibleOwner(caller),
    scope: query.scope,
    direction: query.direction,
    text: query.q,
    ...contentQuery(query.checksum),
    tool: query.tool,
    toolVersion: query.version,
    pageSize: query.page_size ?? PAGE_SIZE,
    pageToken: query.page_token,
  });
  return { files: entries.map((file) => presentFile(file, read, caller.links)), total, next_page_token: nextPageToken };
}

/** What the text of a checksum asks for: `sha1$…`, `sha256:…`, or bare digits, whose number tells which. */
function contentQuery(text: string | undefined): { readonly checksum?: string; readonly sha256?: string } {
  if (text === undefined) return {};
  const [, kind, digits = ""] = /^(?:(sha1|sha256)[$:])?([0-9a-f]+)$/i.exec(text.trim()) ?? [];
  const isSha256 = kind?.toLowerCase() === "sha256" || (kind === undefined && digits.length === 64);
  if (isSha256) return { sha256: digits.toLowerCase() };
  return { checksum: digits === "" ? text : `sha1$${digits.toLowerCase()}` };
}
