// The events of a run whose jobs all succeed, as the engine would append them, for filling a log without running anything.
import { hash } from "node:crypto";

const DOCUMENT = blob('{"class":"Workflow"}');
const INPUTS = blob('{"numbers":[1,2,3]}');
const OUTPUTS = blob("{}");
const STEP = "work";

/** With `hasOutputs` each job's file is an output of the run. */
export function* runEvents({ runId, jobs, name = runId, hasOutputs = false }) {
  const of = (type, actor, data, more = {}) => ({ type, run_id: runId, actor, data, ...more });
  const outputs = hasOutputs ? outputsOf(runId, jobs) : OUTPUTS;
  yield of("run.created", "ann", createdData(name), { blobs: [DOCUMENT, INPUTS, OUTPUTS, outputs] });
  yield of("run.started", "engine", {});
  yield of("run.steps", "engine", { steps: [{ step: STEP, jobs_total: jobs, jobs_total_is_final: true }] });
  for (let n = 1; n <= jobs; n++) {
    const job = { job_id: `${STEP}-${n}`, step: STEP, sample_id: `sub-${n}` };
    for (const [type, data] of jobData(n)) yield of(type, "engine", data, job);
  }
  const ended = { state: "COMPLETE", outcome: "success", reason: null, outputs: outputs.digest, files: [] };
  yield of("run.ended", "engine", ended);
}

function outputsOf(runId, jobs) {
  const file = (n) => ({
    class: "File",
    location: `weft-data://runs/${runId}/outputs/${n}.txt`,
    basename: `${n}.txt`,
    checksum: `sha1$${String(n).padStart(40, "0")}`,
    size: 10,
  });
  const smoothed = Array.from({ length: jobs }, (_, index) => file(index + 1));
  return blob(JSON.stringify({ smoothed }));
}

function blob(text) {
  return { digest: `sha256:${hash("sha256", text)}`, text };
}

function createdData(name) {
  return {
    kind: "network",
    process_id: "filled",
    process_version: null,
    process_digest: "sha256:process",
    name,
    tags: {},
    options: {},
    document: DOCUMENT.digest,
    document_uri: "weft-data://catalog/networks/filled/filled.cwl",
    inputs: INPUTS.digest,
    samples: {},
    steps: [{ step: STEP, jobs_total: 0, jobs_total_is_final: false }],
  };
}

function jobData(n) {
  const command = { argv: ["smooth", "--number", String(n)], workdir: `/state/runs/x/jobs/${STEP}-${n}@1`, env: {} };
  const started = { attempt: 1, command, cores: 1, ram_bytes: 2 ** 28, backend: "local", inputs: INPUTS.digest };
  const file = { port: "smoothed", name: `${n}.txt`, uri: `weft-data://runs/x/${n}.txt`, checksum: "sha1$0", size: 10 };
  const ended = { state: "COMPLETE", reason: null, exit_code: 0, signal: null, cpu_ms: 3, max_rss_bytes: null };
  const tool = { id: "smooth", version: "1.0.0", class: "CommandLineTool" };
  return [
    ["job.queued", { call_id: `${STEP}[${n - 1}]`, n, scatter_index: [n - 1], tool }],
    ["job.started", { ...started, files: [] }],
    ["job.running", { native_id: String(1000 + n) }],
    ["job.exited", { exit_code: 0, signal: null }],
    ["job.ended", { ...ended, outputs: OUTPUTS.digest, files: [file] }],
  ];
}
