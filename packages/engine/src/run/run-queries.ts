import { existsSync, statSync } from "node:fs";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Caller, EngineRuns } from "../engine.ts";
import type { Journal } from "../journal/journal.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { JobRow, RunRow } from "../journal/rows.ts";
import { presentJob, presentJobSummary } from "../present/present-job.ts";
import { presentFile } from "../present/present-file.ts";
import { presentRun, presentRunSummary, presentStatus, readRun } from "../present/present-run.ts";
import { presentValues } from "../present/present-values.ts";
import { withWaitingReason } from "../present/why-waiting.ts";
import type { WhyWaiting } from "../present/why-waiting.ts";
import { provJson } from "../provenance/prov-json.ts";

const PAGE_SIZE = 50;
const JOB_PAGE_SIZE = 100;
/** An answer does not grow with the number of samples; jobs can be listed by sample. */
const SHOWN_SAMPLES = 1000;

type Queries = Pick<EngineRuns, "list" | "get" | "status" | "jobs" | "job" | "outputs" | "provenance" | "findFiles">;

/** Every question about runs that the log answers. */
export function createRunQueries(journal: Pick<Journal, "read" | "nowMs">, whyWaiting: WhyWaiting): Queries {
  const { read } = journal;
  return {
    list: (caller, query) => listRuns(caller, query, journal),
    get: (caller, runId) => getRun(caller, requireRun(read, runId), journal),
    status: (runId) => presentStatus(readRun(read, requireRun(read, runId)), journal.nowMs()),
    jobs: (caller, runId, query) => listJobs(caller, requireRun(read, runId), { query, read, whyWaiting }),
    job: (caller, runId, jobId) => getJob(caller, withWaitingReason(requireJob(read, runId, jobId), whyWaiting), read),
    outputs: (caller, runId) => ({ run_id: runId, outputs: outputsOf(requireRun(read, runId), caller, read) }),
    provenance: (caller, runId) => provJson(requireRun(read, runId), read, caller.links),
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
    sinceMs: query.since === undefined ? undefined : Date.parse(query.since),
    untilMs: query.until === undefined ? undefined : Date.parse(query.until),
    text: query.q,
    ascending: query.sort === "created_at",
    pageSize: query.page_size ?? PAGE_SIZE,
    pageToken: query.page_token,
  });
  return {
    runs: entries.map((row) =>
      query.view === "url" ? caller.links.run(row.runId) : presentRunSummary(readRun(read, row), caller.links, nowMs()),
    ),
    total,
    next_page_token: nextPageToken,
  };
}

function getRun(
  caller: Caller,
  row: RunRow,
  { read, nowMs }: Pick<Journal, "read" | "nowMs">,
): ReturnType<Queries["get"]> {
  const details = {
    inputs: presentValues(read.blobToShow(row.inputs), caller.links),
    outputs: outputsOf(row, caller, read),
    steps: read.steps(row.runId),
    samples: read.samples(row.runId, SHOWN_SAMPLES),
    outstandingJobs: row.state === "CANCELING" ? read.openJobIds(row.runId, 100) : [],
  };
  return presentRun(readRun(read, row), details, { links: caller.links, nowMs: nowMs() });
}

function outputsOf(row: RunRow, caller: Caller, read: LogReader) {
  return row.outputs === null ? null : presentValues(read.blobToShow(row.outputs), caller.links);
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

function getJob(caller: Caller, row: JobRow, read: LogReader): ReturnType<Queries["job"]> {
  const values = (digest: string | null) =>
    digest === null ? null : presentValues(read.blobToShow(digest), caller.links);
  const details = { inputs: values(row.inputs) ?? {}, outputs: values(row.outputs), logSizes: logSizes(row) };
  return presentJob(row, details, caller.links);
}

function logSizes(row: JobRow): { stdout: number; stderr: number } | undefined {
  if (row.command === null) return undefined;
  return { stdout: sizeOf(row.command.stdout), stderr: sizeOf(row.command.stderr) };
}

function sizeOf(path: string | undefined): number {
  return path !== undefined && existsSync(path) ? statSync(path).size : 0;
}

function findFiles(
  caller: Caller,
  query: Parameters<Queries["findFiles"]>[1],
  read: LogReader,
): ReturnType<Queries["findFiles"]> {
  const { entries, total, nextPageToken } = read.files({
    runId: query.run,
    jobId: query.job,
    scope: query.scope,
    direction: query.direction,
    text: query.q,
    checksum: query.checksum === undefined ? undefined : checksumText(query.checksum),
    pageSize: query.page_size ?? PAGE_SIZE,
    pageToken: query.page_token,
  });
  return { files: entries.map((file) => presentFile(file, read, caller.links)), total, next_page_token: nextPageToken };
}

function checksumText(text: string): string {
  return /^[0-9a-f]{40}$/i.test(text) ? `sha1$${text.toLowerCase()}` : text;
}

export function requireRun(read: LogReader, runId: string): RunRow {
  const row = read.run(runId);
  if (row === undefined) throw new Refusal("run-not-found", `There is no run ${runId}.`);
  return row;
}

function requireJob(read: LogReader, runId: string, jobId: string): JobRow {
  requireRun(read, runId);
  const row = read.job(runId, jobId);
  if (row === undefined) throw new Refusal("job-not-found", `The run has no job ${jobId}.`);
  return row;
}
