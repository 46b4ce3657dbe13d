import type { Forecast, RunSizing, Sizing } from "@weft/shared/records/insight-record.ts";
import type { DiskUsage } from "@weft/shared/records/operations-record.ts";
import { requireVisibleRun, visibleOwner } from "../access/visible-runs.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import type { UsageQuery, UsageRow } from "../journal/read-storage.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { RunRow } from "../journal/rows.ts";
import type { Caller } from "../port/engine.ts";
import { loadRecordedDocument } from "../catalog/recorded-document.ts";
import { nullableTime } from "../present/present-time.ts";
import type { StepPlan } from "./forecast.ts";
import { forecastRun } from "./forecast-run.ts";
import type { MachineShare } from "./forecast-run.ts";
import { loadCurves } from "./load-curves.ts";
import { RunHistory } from "./run-history.ts";
import { sizeJobs } from "./size-jobs.ts";
import { sizeRun } from "./size-run.ts";
import { stepPlan } from "./step-plan.ts";

const JOBS_OF_TOOL = 2000;
const MAX_SPANS = 50_000;
/** Number of networks whose steps stay in memory. */
const KEPT_PLANS = 32;

/** Answers queries about many jobs, in a thread with its own connection to the log. Caches facts that never change. */
export class InsightReader {
  readonly #read: LogReader;
  readonly #uris: PortableUris;
  readonly #history: RunHistory;
  readonly #plans = new Map<string, StepPlan | undefined>();

  constructor(read: LogReader, uris: PortableUris) {
    this.#read = read;
    this.#uris = uris;
    this.#history = new RunHistory(read);
  }

  tasksOf(caller: Caller) {
    const read = this.#read;
    const owner = visibleOwner(caller);
    const measuresOfTool = (id: string, version: string) => read.measuresOfTool(id, version, owner, JOBS_OF_TOOL);
    const withEarlier = (runId: string) => {
      const run = requireVisibleRun(read, runId, caller);
      return { run, earlier: this.#history.before(run, owner) };
    };
    return {
      forecast: async (runId: string, nowMs: number, machine: MachineShare): Promise<Forecast> => {
        const { run, earlier } = withEarlier(runId);
        const plan = run.endedMs === null ? await this.#planOf(run) : undefined;
        return forecastRun(run, { read, nowMs, machine, earlier, plan, measuresOfTool });
      },
      sizeRun: (runId: string): RunSizing => {
        const { run, earlier } = withEarlier(runId);
        return sizeRun(run, read, earlier);
      },
      sizeTool: (id: string, version: string): Sizing => sizeJobs(measuresOfTool(id, version)),
      load: (fromMs: number, toMs: number) => {
        const spans = read.jobSpans(fromMs, MAX_SPANS);
        return { jobs: loadCurves(spans, fromMs, toMs), isTruncated: spans.length >= MAX_SPANS };
      },
      disk: (query: Omit<UsageQuery, "owner">): DiskUsage => diskUsage(caller, query, read),
    };
  }

  async #planOf(run: RunRow): Promise<StepPlan | undefined> {
    if (this.#plans.has(run.document)) return this.#plans.get(run.document);
    // Without its document, the steps of a run count as sequential.
    const loaded = await loadRecordedDocument(run, { read: this.#read, uris: this.#uris }).catch(() => undefined);
    const plan = loaded === undefined ? undefined : stepPlan(loaded.process);
    if (this.#plans.size >= KEPT_PLANS) this.#plans.clear();
    this.#plans.set(run.document, plan);
    return plan;
  }
}

const SHOWN_PROCESSES = 500;

/** Disk usage of ended runs, of those that the caller may see. */
function diskUsage(caller: Caller, query: Omit<UsageQuery, "owner">, read: LogReader): DiskUsage {
  const owner = visibleOwner(caller);
  const { entries, total, nextPageToken } = read.usageByRun({ ...query, owner });
  return {
    processes: read
      .usageByProcess(owner, SHOWN_PROCESSES)
      .map(({ kind, processId, runs, ...usage }) => ({ kind, id: processId, runs, ...bytesOf(usage) })),
    runs: entries.map(({ runId, name, owner: runOwner, kind, processId, endedMs, isInUse, ...usage }) => ({
      run_id: runId,
      url: caller.links.run(runId),
      name,
      owner: runOwner,
      kind,
      id: processId,
      ended_at: nullableTime(endedMs),
      ...bytesOf(usage),
      in_use: isInUse,
    })),
    total,
    next_page_token: nextPageToken,
  };
}

function bytesOf({ outputs, intermediate, logs }: UsageRow) {
  return {
    outputs_bytes: outputs,
    intermediate_bytes: intermediate,
    logs_bytes: logs,
    total_bytes: outputs + intermediate + logs,
  };
}
