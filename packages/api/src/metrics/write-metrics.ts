import type { ServerStatus } from "@weft/shared/records/lineage-record.ts";
import { BOUNDS_S, type Histogram, type Metrics } from "./metrics.ts";

/** Media type of the Prometheus text format 0.0.4. */
export const METRICS_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const STORAGE_PROBLEMS: readonly ServerStatus["storage"][] = ["full", "locked", "read-only", "failed"];

type Labels = Readonly<Record<string, string | number>>;
type Sample = readonly [labels: Labels, value: number, suffix?: string];

interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram" | "summary";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** All metrics in the Prometheus text format. */
export function writeMetrics(metrics: Metrics, info: ServerStatus): string {
  const families = [...requestFamilies(metrics), ...engineFamilies(info), ...processFamilies(metrics)];
  return families.map(writeFamily).join("");
}

function requestFamilies(metrics: Metrics): Family[] {
  const requests = metrics.counts.map(({ method, route, status, count }): Sample => [{ method, route, status }, count]);
  const durations = [...metrics.durations].flatMap(([route, histogram]) => bucketSamples(route, histogram));
  return [
    family("weft_http_requests_total", "counter", "Responses", requests),
    family("weft_http_request_duration_seconds", "histogram", "Time from request to answer", durations),
    gauge("weft_event_sockets", "WebSockets that are open", metrics.sockets),
    gauge("weft_event_streams", "Streams of Server-Sent Events that are open", metrics.streams),
  ];
}

function bucketSamples(route: string, histogram: Histogram): Sample[] {
  const buckets = histogram.cumulative.map((count, index): Sample => [
    { route, le: BOUNDS_S[index] ?? "" },
    count,
    "_bucket",
  ]);
  return [
    ...buckets,
    [{ route, le: "+Inf" }, histogram.total, "_bucket"],
    [{ route }, histogram.sumS, "_sum"],
    [{ route }, histogram.total, "_count"],
  ];
}

function engineFamilies(info: ServerStatus): Family[] {
  const runs = Object.entries(info.run_counts).map(([state, count]): Sample => [{ state }, count]);
  const storage = Object.entries(info.runs_storage_bytes).map(([part, bytes]): Sample => [{ part }, bytes]);
  const waiting = Object.entries(info.jobs_waiting_for).map(([what, count]): Sample => [{ for: what }, count]);
  const jobs: Sample[] = [
    [{ state: "running" }, info.jobs_running],
    [{ state: "waiting" }, info.jobs_waiting],
  ];
  const storageProblems = STORAGE_PROBLEMS.map((kind): Sample => [{ kind }, kind === info.storage ? 1 : 0]);
  return [
    family("weft_build_info", "gauge", "Always 1; the version is the label", [[{ version: info.version }, 1]]),
    family("weft_runs", "gauge", "Runs in each state", runs),
    family("weft_jobs", "gauge", "Running jobs, and jobs that wait for cores, memory or a slot", jobs),
    family("weft_jobs_waiting", "gauge", "Waiting jobs, by reason", waiting),
    gauge("weft_job_slots", "Maximum number of concurrent jobs", info.job_slots),
    gauge("weft_cores", "Cores that jobs may use", info.cores),
    gauge("weft_cores_busy", "Cores that running jobs have reserved", info.cores_busy),
    gauge("weft_memory_bytes", "Memory that jobs may use", info.ram_bytes),
    gauge("weft_memory_busy_bytes", "Memory that running jobs have reserved", info.ram_busy_bytes),
    family("weft_runs_storage_bytes", "gauge", "Disk space of finished runs, by part", storage),
    gauge("weft_disk_free_bytes", "Free space on the disk of the state folder", info.disk_free_bytes),
    family("weft_storage_trouble", "gauge", "1 for the problem that keeps the log from being written", storageProblems),
    family("weft_events_total", "counter", "Events in the log", [[{}, info.last_seq]]),
    gauge("weft_draining", "1 while the server shuts down", info.draining ? 1 : 0),
  ];
}

function processFamilies(metrics: Metrics): Family[] {
  const { user, system } = process.cpuUsage();
  const startedS = Date.now() / 1000 - process.uptime();
  const late = [0.5, 0.9, 0.99].map((quantile): Sample => [{ quantile }, metrics.eventLoopDelayS(quantile * 100)]);
  return [
    gauge("process_resident_memory_bytes", "Memory of the server process", process.memoryUsage.rss()),
    family("process_cpu_seconds_total", "counter", "Processor time of the server process", [
      [{}, (user + system) / 1e6],
    ]),
    gauge("process_start_time_seconds", "When the server process started, since 1970", startedS),
    family("weft_event_loop_delay_seconds", "summary", "Delay of the event loop since the start of the server", late),
  ];
}

function gauge(name: string, help: string, value: number): Family {
  return family(name, "gauge", help, [[{}, value]]);
}

function family(name: string, type: Family["type"], help: string, samples: readonly Sample[]): Family {
  return { name, type, help, samples };
}

function writeFamily({ name, type, help, samples }: Family): string {
  const lines = samples.map(([labels, value, suffix = ""]) => `${name}${suffix}${writeLabels(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function writeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(String(value))}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
