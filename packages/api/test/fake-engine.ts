import type { Engine, EngineStorage } from "@weft/engine/port/engine.ts";
import type { StorageProblem } from "@weft/engine/journal/storage/storage-problem.ts";
import type { ServerStatus } from "@weft/shared/records/lineage-record.ts";
import { FakeArchives } from "./fake-archives.ts";
import type { Prune } from "@weft/shared/records/storage-record.ts";
import { fakeCatalog } from "./fake-catalog.ts";
import { fakeDatasets } from "./fake-datasets.ts";
import { fakeDrafts } from "./fake-drafts.ts";
import { fakeTests } from "./fake-tests.ts";
import { FakeEvents } from "./fake-events.ts";
import type { FakeFiles } from "./fake-files.ts";
import { fakeProvenance } from "./fake-provenance.ts";
import { fakeInsight } from "./fake-insight.ts";
import { fakeReviews } from "./fake-reviews.ts";
import { fakeOperations } from "./fake-operations.ts";
import { fakeAutomations } from "./fake-automations.ts";
import { fakeNotifications } from "./fake-notifications.ts";
import { FakeWesDocuments } from "./fake-wes-documents.ts";
import { FakeRuns } from "./fake-runs.ts";

/** The engine's port over memory: nothing runs, tests say what happens. */
export class FakeEngine implements Engine {
  readonly catalog = fakeCatalog;
  readonly tests = fakeTests;
  readonly events = new FakeEvents();
  readonly runs = new FakeRuns(this.events);
  readonly drafts = fakeDrafts(this.runs);
  readonly datasets = fakeDatasets(this.runs);
  readonly provenance = fakeProvenance((caller, runId) => void this.runs.status(caller, runId), this.runs);
  readonly reviews = fakeReviews(this.runs);
  readonly insight = fakeInsight((caller, runId) => void this.runs.status(caller, runId));
  readonly operations = fakeOperations();
  readonly files: FakeFiles;
  readonly archives = new FakeArchives();
  readonly stops: string[] = [];
  /** What was asked to be removed. */
  readonly prunes: { readonly body: Prune; readonly isDryRun: boolean }[] = [];
  readonly storage: EngineStorage = {
    prune: async (_caller, body, isDryRun) => {
      this.prunes.push({ body, isDryRun });
      return { dry_run: isDryRun, entries: [], entries_total: 0, bytes_total: 0, kept_total: 0, failed_total: 0 };
    },
  };
  readonly wesDocuments = new FakeWesDocuments();
  readonly notifications = fakeNotifications();
  readonly automations = fakeAutomations();
  draining = false;
  storageProblem: StorageProblem | undefined;
  readonly failed = new Promise<string>(() => {});

  constructor(files: FakeFiles) {
    this.files = files;
    this.archives.requireRun = (caller, runId) => void this.runs.status(caller, runId);
    files.requireRun = (caller, runId) => void this.runs.status(caller, runId);
  }

  async serverInfo(): Promise<ServerStatus> {
    return {
      version: "0.1.0",
      started_at: "2026-11-21T02:02:14.617Z",
      cores: 2,
      cores_busy: 0,
      ram_bytes: 1024,
      ram_busy_bytes: 0,
      job_slots: 2,
      jobs_running: 0,
      jobs_waiting: 3,
      jobs_waiting_for: { cores: 2, turn: 1 },
      disk_free_bytes: 1024,
      runs_storage_bytes: { outputs: 10, intermediate: 20, logs: 30 },
      sinks: ["results"],
      run_counts: { RUNNING: 2, COMPLETE: 3 },
      ended_last_24h: { success: 3, failure: 0, canceled: 0, partial: 0 },
      last_seq: this.events.lastSeq,
      draining: this.draining,
      storage: this.storageProblem ?? "ok",
    };
  }

  async stop(mode: "drain" | "cancel" | "detach"): Promise<void> {
    this.draining = true;
    this.stops.push(mode);
  }
}
