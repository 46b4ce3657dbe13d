import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { DatabaseSync } from "node:sqlite";
import { EventAppender } from "./append-events.ts";
import type { NewEvent } from "./journal-event.ts";
import { createLogReader } from "./log-reader.ts";
import { openForWriting } from "./open-database.ts";
import type { JobTableQuery } from "./read-job-table.ts";
import { runCreated } from "./testing/new-events.ts";

const RUN = "01a205e6-0000-7000-8000-000000000001";
const MIB = 2 ** 20;

/** The differences between the jobs; times in seconds since the run was created. */
interface MadeJob {
  readonly id: string;
  readonly step: string;
  readonly sample?: string;
  readonly queued: number;
  readonly started?: number;
  readonly ended?: number;
  readonly mib?: number;
  readonly message?: string;
  readonly isCached?: boolean;
}

const JOBS: readonly MadeJob[] = [
  { id: "align.0", step: "align", sample: "sub-01", queued: 0, started: 1, ended: 11, mib: 300 },
  {
    id: "align.1",
    step: "align",
    sample: "sub_02",
    queued: 0,
    started: 5,
    ended: 8,
    mib: 100,
    message: "not 100% NIfTI",
  },
  { id: "align.2", step: "align", sample: "sub-03", queued: 0, started: 2, ended: 2, isCached: true },
  { id: "report", step: "report", queued: 11, started: 12 },
  { id: "late", step: "report", queued: 12 },
];

describe("the table of the jobs of a run", () => {
  const db = openForWriting(":memory:", "fast");
  fill(db);
  after(() => db.close());

  const idsOf = (query: JobTableQuery): string => {
    const read = createLogReader(db, "writer");
    const order = read.jobOrder(RUN, query, 20_000);
    return read
      .jobsByNumber(RUN, [...order])
      .map(({ jobId }) => jobId)
      .join(" ");
  };

  const CASES: readonly (readonly [string, JobTableQuery, string])[] = [
    ["all", {}, "align.0 align.1 align.2 report late"],
    ["the last first", { sort: "-n" }, "late report align.2 align.1 align.0"],
    ["by run time, running ones up to now", { sort: "running_ms" }, "align.2 align.1 report align.0 late"],
    ["the longest first, those without a time last", { sort: "-running_ms" }, "align.0 report align.1 align.2 late"],
    ["by queue time", { sort: "-queued_ms" }, "align.1 align.2 align.0 report late"],
    ["by memory, unknown last either way", { sort: "max_rss_bytes" }, "align.1 align.0 align.2 report late"],
    ["failed first", { sort: "state" }, "align.1 report late align.0 align.2"],
    ["by sample", { sort: "-sample_id" }, "align.1 align.2 align.0 report late"],
    ["by cache", { sort: "cache" }, "align.2 align.0 align.1 report late"],
    ["by message, jobs without one last", { sort: "message" }, "align.1 align.0 align.2 report late"],
    ["states", { state: ["RUNNING", "QUEUED"] }, "report late"],
    ["a step", { step: "report" }, "report late"],
    ["a sample", { sample: "sub-03" }, "align.2"],
    ["a text, whose signs are literal", { q: "sub_0" }, "align.1"],
    ["a message", { message: "100% nifti" }, "align.1"],
    ["part of the code of a message", { message: "TOOL_EXIT" }, ""],
    ["results that were reused", { cache: "hit" }, "align.2"],
    ["durations", { min_running_ms: 3000, max_running_ms: 8000 }, "align.1 report"],
    ["memory", { min_rss_bytes: 200 * MIB }, "align.0"],
    ["all filters", { step: "align", q: "sub", max_rss_bytes: 200 * MIB, sort: "-n" }, "align.1"],
    ["what SQL would take for its own", { q: "' OR 1=1 --", message: "%" }, ""],
  ];
  for (const [name, query, ids] of CASES) it(`lists ${name}`, () => assert.equal(idsOf(query), ids));

  it("prepares one statement for all filters", () => {
    const texts = new Set<string>();
    const counting = { prepare: (text: string) => (texts.add(text), db.prepare(text)) };
    const read = createLogReader(counting as unknown as DatabaseSync, "writer"); // the part that reading needs
    for (const [, query] of CASES) read.jobOrder(RUN, { ...query, sort: "n" }, 1);
    assert.equal(texts.size, 1);
  });

  it("returns the times as columns, part by part", () => {
    const read = createLogReader(db, "writer");
    const { jobs, steps, samples, total, next, origin } = read.jobTimes(RUN, 2);
    assert.deepEqual(
      [origin, steps, samples, total, next],
      ["1970-01-01T00:00:00.000Z", ["align", "report"], ["sub-03"], 5, null],
    );
    assert.deepEqual(
      [jobs.job_id, jobs.sample, jobs.cached],
      [
        ["align.2", "report", "late"],
        [0, null, null],
        [true, false, false],
      ],
    );
    assert.deepEqual(
      [jobs.queued, jobs.started, jobs.ended],
      [
        [0, 11_000, 12_000],
        [2000, 12_000, null],
        [2000, null, null],
      ],
    );
    assert.deepEqual(read.jobTimes("unknown", 0).jobs.job_id, []);
  });
});

/** Appends what happens to the jobs, moment by moment. */
function fill(db: DatabaseSync): void {
  let nowMs = 0;
  const appender = new EventAppender(db, () => ({ read: () => ({ nowMs, movedMs: 0 }), offsetMs: 0 }));
  appender.appendAll([[runCreated(RUN), { type: "run.started", run_id: RUN, actor: "engine", data: {} }]]);
  for (let second = 0; second <= 12; second += 1) {
    nowMs = second * 1000;
    for (const [n, job] of JOBS.entries()) appender.appendAll([eventsOf(job, n + 1, second)]);
  }
}

function eventsOf(job: MadeJob, n: number, second: number): NewEvent[] {
  const of = { run_id: RUN, actor: "engine", job_id: job.id, step: job.step };
  const ofJob = { ...of, ...(job.sample && { sample_id: job.sample }) };
  const tool = { id: job.step, version: null, class: "CommandLineTool" } as const;
  const cache = { decision: job.isCached === true ? "hit" : "miss", reason: "", diff: [] } as const;
  const started = {
    attempt: 1,
    command: null,
    cores: 1,
    ram_bytes: MIB,
    backend: "local",
    inputs: "sha256:0",
    files: [],
  };
  const reason = job.message === undefined ? null : ({ code: "TOOL_EXIT", message: job.message } as const);
  const state = reason === null ? "COMPLETE" : "EXECUTOR_ERROR";
  const used = { exit_code: 0, signal: null, cpu_ms: 1, max_rss_bytes: job.mib === undefined ? null : job.mib * MIB };
  const events: NewEvent[] = [];
  if (job.queued === second)
    events.push({ ...ofJob, type: "job.queued", data: { call_id: job.id, n, scatter_index: [], tool } });
  if (job.started === second)
    events.push(
      { ...ofJob, type: "job.started", data: { ...started, ...(job.id !== "report" && { cache }) } },
      { ...ofJob, type: "job.running", data: { native_id: "1" } },
    );
  if (job.ended === second)
    events.push({ ...ofJob, type: "job.ended", data: { state, reason, ...used, outputs: null, files: [] } });
  return events;
}
