// node fill-run.mjs STATE JOBS, on the pinned Node: makes a state folder with one finished run of about this many jobs, by appending
// the events of a simulated cohort: three steps per sample and a report, 16 cores, failures, retries and reused results.
// Nothing is run. Prints the id of the run.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { LOG_FEATURES } from "@weft/engine/app/features.ts";
import { EventAppender } from "@weft/engine/journal/append-events.ts";
import { openForWriting } from "@weft/engine/journal/open-database.ts";
import { RunIds } from "@weft/engine/runs/begin/run-ids.ts";

const CORES = 16;
/** Number of jobs queued ahead of the running ones. */
const AHEAD = 200;
const STEPS = [
  { step: "align", cores: 1, ram: 2 ** 30, ms: 6000 },
  { step: "segment", cores: 2, ram: 2 ** 31, ms: 9000 },
  { step: "measure", cores: 1, ram: 2 ** 28, ms: 900 },
];
const MIB = 2 ** 20;
const START_MS = Date.UTC(2026, 8, 1, 8);

const [folder, jobs] = process.argv.slice(2);
const samples = Math.max(1, Math.floor((Number(jobs) - 1) / STEPS.length));
mkdirSync(folder, { recursive: true, mode: 0o700 });
const db = openForWriting(join(folder, "weft.db"), "fast", LOG_FEATURES);
let nowMs = START_MS;
const appender = new EventAppender(db, () => ({ read: () => ({ nowMs, movedMs: 0 }), offsetMs: 0 }));
const runId = new RunIds(undefined).next();
let seed = 1;

const blob = (name, text) => ({ digest: `sha256:${name}`, text });
const DOCUMENT = blob("document", '{"class":"Workflow"}');
const INPUTS = blob("inputs", '{"scan":"sub.nii.gz"}');
const OUTPUTS = blob("outputs", "{}");

append(of("run.created", created(), { actor: "ann", blobs: [DOCUMENT, INPUTS, OUTPUTS] }), of("run.started", {}));
append(of("run.steps", { steps: stepTotals() }));
simulate();
db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
db.close();
console.log(runId);

/** Starts jobs that fit, first come, first served, and ends jobs that are due. */
function simulate() {
  const waiting = [];
  const running = [];
  let [free, queued, queuedSamples, left] = [CORES, 0, 0, samples];
  const queue = (job) => {
    queued += 1;
    const queuedJob = { ...job, n: queued };
    append(event(queuedJob, "job.queued", queuedData(queuedJob)));
    waiting.push(queuedJob);
  };
  const fill = () => {
    while (queuedSamples < samples && waiting.length < AHEAD) queue({ ...STEPS[0], place: 0, sample: queuedSamples++ });
  };
  fill();
  while (waiting.length > 0 || running.length > 0) {
    while (waiting.length > 0 && waiting[0].cores <= free) {
      const job = start(waiting.shift());
      if (job.isCached) finish(job);
      else {
        free -= job.cores;
        insert(running, job);
      }
    }
    fill();
    const next = running.shift();
    if (next === undefined) continue;
    nowMs = Math.max(nowMs, next.endsMs);
    free += next.cores;
    finish(next);
  }
  append(of("run.ended", endedRun()));

  function finish(job) {
    if (!end(job)) {
      left -= 1;
    } else if (job.place + 1 < STEPS.length) {
      // A step that reads the result of the previous one goes first, as it does in a network scattered by sample.
      queue({ ...STEPS[job.place + 1], place: job.place + 1, sample: job.sample });
      waiting.unshift(waiting.pop());
    } else if (job.step === "measure") left -= 1;
    if (left === 0 && job.step !== "report" && queuedSamples === samples) {
      left = -1;
      queue({ step: "report", cores: 4, ram: 2 ** 32, ms: 60_000, place: STEPS.length });
    }
  }
}

function start(job) {
  const isCached = job.sample !== undefined && job.sample % 40 === 7;
  const durationMs = isCached ? 0 : Math.round(job.ms * (0.4 + random() * random() * 3));
  const cache = isCached
    ? { decision: "hit", reason: "an equal job ended well", diff: [], job: { run_id: runId, job_id: "align.1" } }
    : { decision: "miss", reason: "no job of this tool ran before", diff: [], key: "0".repeat(64) };
  const command = {
    argv: [job.step, "--input", `sub-${job.sample}.nii.gz`, "--iterations", "100"],
    workdir: `/state/runs/${runId}/jobs/${job.step}`,
    env: { HOME: "/home/job", TMPDIR: "/tmp", PATH: "/usr/local/bin:/usr/bin:/bin" },
  };
  const resources = { cores: job.cores, ram_bytes: job.ram, backend: "local", inputs: INPUTS.digest };
  const started = event(job, "job.started", { attempt: 1, command, ...resources, files: [], cache });
  if (isCached) append(started);
  else append(started, event(job, "job.running", { native_id: String(1000 + job.n) }));
  return { ...job, isCached, durationMs, endsMs: nowMs + durationMs };
}

/** Ends a job. Returns true if it succeeds, as all but one in 97 do. */
function end(job) {
  const isBad = !job.isCached && job.sample !== undefined && (job.sample + job.place * 31) % 97 === 96;
  const used = job.isCached
    ? { cpu_ms: null, max_rss_bytes: null }
    : {
        cpu_ms: Math.round(job.durationMs * job.cores * (0.5 + random() / 2)),
        max_rss_bytes: Math.round((job.ram * (0.2 + random() * 0.7)) / MIB) * MIB,
        memory_source: "cgroup",
      };
  const exit = { exit_code: job.isCached ? null : isBad ? 1 : 0, signal: null };
  const reason = isBad
    ? { code: "TOOL_EXIT", message: `${job.step} ended with exit code 1: not a NIfTI-1 file`, hint: "look at the scan" }
    : null;
  const state = isBad ? "EXECUTOR_ERROR" : "COMPLETE";
  const ended = event(job, "job.ended", {
    ...{ state, reason, ...exit, ...used },
    ...{ outputs: isBad ? null : OUTPUTS.digest, files: [], ...(isBad ? { stderr_tail: "not a NIfTI-1 file\n" } : {}) },
  });
  if (job.isCached) append(ended);
  else append(event(job, "job.exited", exit), ended);
  return !isBad;
}

function of(type, data, more = {}) {
  return { type, run_id: runId, actor: "engine", data, ...more };
}

function event(job, type, data) {
  const jobId = job.sample === undefined ? job.step : `${job.step}.${job.sample}`;
  const sample = job.sample === undefined ? {} : { sample_id: `sub-${String(job.sample + 1).padStart(5, "0")}` };
  return of(type, data, { job_id: jobId, step: job.step, ...sample });
}

function queuedData({ n, step, sample }) {
  const index = sample === undefined ? [] : [sample];
  const tool = { id: step, version: "1.0.0", class: "CommandLineTool" };
  return { call_id: `${step}[${index.join(",")}]`, n, scatter_index: index, tool };
}

function stepTotals() {
  const totals = STEPS.map(({ step }) => ({ step, jobs_total: samples, jobs_total_is_final: true }));
  return [...totals, { step: "report", jobs_total: 1, jobs_total_is_final: true }];
}

function created() {
  return {
    ...{ kind: "network", process_id: "cohort", process_version: null, process_digest: "sha256:process" },
    ...{ name: "cohort", tags: {}, options: {}, document: DOCUMENT.digest },
    ...{ document_uri: "weft-data://catalog/networks/cohort/cohort.cwl", inputs: INPUTS.digest, samples: {} },
    steps: stepTotals(),
  };
}

function endedRun() {
  const reason = { code: "TOOL_EXIT", message: "some samples failed" };
  return { state: "EXECUTOR_ERROR", outcome: "partial", reason, outputs: OUTPUTS.digest, files: [] };
}

/** The list stays sorted by the end of its jobs. */
function insert(running, job) {
  const position = running.findIndex(({ endsMs }) => endsMs > job.endsMs);
  running.splice(position === -1 ? running.length : position, 0, job);
}

/** Repeatable pseudorandom numbers between 0 and 1. */
function random() {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
}

function append(...events) {
  appender.appendAll([events]);
}
