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
import type { JobLoad } from "./load-curves.ts";
import { RunHistory } from "./run-history.ts";
import { sizeJobs } from "./size-jobs.ts";
import { sizeRun } from "./size-run.ts";
import { stepPlan } from "./step-plan.ts";

/** Queries about many jobs, for a thread with its own connection to the log. */
export interface InsightTasks {
  readonly forecast: { readonly runId: string; readonly nowMs: number; readonly machine: MachineShare };
  readonly "run-sizing": { readonly runId: string };
  readonly "tool-sizing": { readonly id: string; readonly version: string };
  readonly load: { readonly fromMs: number; readonly toMs: number };
  readonly disk: Pick<UsageQuery, "processId" | "pageSize" | "pageToken">;
}

export interface InsightAnswers {
  readonly forecast: Forecast;
  readonly "run-sizing": RunSizing;
  readonly "tool-sizing": Sizing;
  readonly load: { readonly jobs: readonly JobLoad[]; readonly isTruncated: boolean };
  readonly disk: DiskUsage;
}

const KINDS: Readonly<Record<keyof InsightTasks, true>> = {
  forecast: true,
  "run-sizing": true,
  "tool-sizing": true,
  load: true,
  disk: true,
};

export function isInsightTask(task: { readonly kind: string }): task is InsightTask {
  return task.kind in KINDS;
}

export type InsightTask = {
  readonly [Kind in keyof InsightTasks]: { readonly kind: Kind } & InsightTasks[Kind];
}[keyof InsightTasks];

const JOBS_OF_TOOL = 2000;
const MAX_SPANS = 50_000;
/** Number of networks whose steps stay in memory. */
const KEPT_PLANS = 32;

/** Answers them, and caches what never changes. */
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

  async answer(caller: Caller, task: InsightTask): Promise<InsightAnswers[InsightTask["kind"]]> {
    const owner = visibleOwner(caller);
    const measuresOfTool = (id: string, version: string) => this.#read.measuresOfTool(id, version, owner, JOBS_OF_TOOL);
    if (task.kind === "disk") return diskUsage(caller, task, this.#read);
    if (task.kind === "load") {
      const spans = this.#read.jobSpans(task.fromMs, MAX_SPANS);
      return { jobs: loadCurves(spans, task.fromMs, task.toMs), isTruncated: spans.length >= MAX_SPANS };
    }
    if (task.kind === "tool-sizing") return sizeJobs(measuresOfTool(task.id, task.version));
    const run = requireVisibleRun(this.#read, task.runId, caller);
    const earlier = this.#history.before(run, owner);
    if (task.kind === "run-sizing") return sizeRun(run, this.#read, earlier);
    const { nowMs, machine } = task;
    const plan = run.endedMs === null ? await this.#planOf(run) : undefined;
    return forecastRun(run, { read: this.#read, nowMs, machine, earlier, plan, measuresOfTool });
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
