// A run that was never run: only its size matters. Its answers and its events are given in place of the server's.
const TIME = new Date(0).toISOString();
const JOBS_PER_STEP = 500;

/** Answers what pages ask about the run `bench` of so many jobs. */
export async function routeMadeUpRun(page, { jobs, state = "COMPLETE", network = "large" }) {
  await page.route("**/api/runs/bench**", (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const json = pathname.endsWith("/jobs") ? jobPage(jobs, searchParams) : runAnswer(jobs, state, network);
    return route.fulfill({ json });
  });
}

function runAnswer(jobs, state, network) {
  return {
    run_id: "bench",
    url: "",
    run: "",
    status: "",
    name: "Bench",
    network: { id: network, version: null, digest: "", url: "" },
    state,
    outcome: state === "COMPLETE" ? "success" : null,
    state_reason: null,
    created_at: TIME,
    start_time: TIME,
    end_time: state === "COMPLETE" ? TIME : null,
    duration_ms: 0,
    revision: 1,
    owner: "local",
    tags: {},
    job_counts: { [state]: jobs },
    inputs: {},
    options: {},
    samples: [],
    step_counts: [],
    outputs: state === "COMPLETE" ? {} : null,
    abort: null,
    links: {},
    progress: { jobs_total: jobs, jobs_total_is_final: true, jobs_done: 0, fraction: 0, eta: null },
  };
}

function jobPage(count, query) {
  const first = Number(query.get("page_token") ?? 0);
  const size = Number(query.get("page_size") ?? 50);
  const jobs = Array.from({ length: Math.min(size, count - first) }, (_, place) => jobAt(first + place));
  return { jobs, total: count, next_page_token: first + size < count ? String(first + size) : "" };
}

export function jobId(n) {
  return `step-${Math.floor(n / JOBS_PER_STEP)}.${n}`;
}

function jobAt(n) {
  const time = (ms) => new Date(ms).toISOString();
  const started = (n % 1000) * 400 + Math.floor(n / 1000) * 20_000;
  const took = 300 + ((n * 7919) % 9000);
  return {
    job_id: jobId(n),
    run_id: "bench",
    url: "",
    step: `step-${Math.floor(n / JOBS_PER_STEP)}`,
    sample_id: null,
    scatter_index: [n],
    state: n % 97 === 0 ? "EXECUTOR_ERROR" : "COMPLETE",
    phase: "ended",
    state_reason: null,
    attempt: 1,
    exit_code: 0,
    signal: null,
    timing: {
      queued_at: time(started / 2),
      started_at: time(started),
      ended_at: time(started + took),
      queued_ms: 0,
      running_ms: took,
    },
  };
}

/** Takes the place of the server's event stream; `send` gives the page so many events of jobs of the run. */
export async function routeMadeUpEvents(page) {
  let socket;
  let seq = 0;
  await page.routeWebSocket(/\/api\/events$/, (ws) => {
    socket = ws;
    ws.onMessage(() => undefined);
    ws.send(JSON.stringify({ op: "hello", server: "bench", last_seq: seq }));
  });
  const eventOf = (job) => {
    seq += 1;
    const types = ["job.queued", "job.started", "job.running", "job.ended"];
    return {
      seq,
      type: types[seq % 4],
      time: new Date(seq * 10).toISOString(),
      run_id: "bench",
      job_id: jobId(job),
      step: `step-${Math.floor(job / JOBS_PER_STEP)}`,
      actor: "engine",
      data: { state: "COMPLETE", exit_code: 0, signal: null, reason: null },
    };
  };
  return {
    send(count, among) {
      const events = Array.from({ length: count }, () => eventOf(seq % among));
      socket?.send(JSON.stringify({ op: "events", events }));
    },
  };
}
