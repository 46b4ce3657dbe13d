import type { Engine } from "@weft/engine/engine.ts";
import type { StorageTrouble } from "@weft/engine/journal/storage/storage-trouble.ts";
import type { ServerInfo } from "@weft/shared/records/lineage-record.ts";
import { fakeCatalog } from "./fake-catalog.ts";
import { FakeEvents } from "./fake-events.ts";
import type { FakeFiles } from "./fake-files.ts";
import { FakeRuns } from "./fake-runs.ts";

/** The engine's port over memory: nothing runs, tests say what happens. */
export class FakeEngine implements Engine {
  readonly catalog = fakeCatalog;
  readonly events = new FakeEvents();
  readonly runs = new FakeRuns(this.events);
  readonly files: FakeFiles;
  readonly stops: string[] = [];
  draining = false;
  trouble: StorageTrouble | undefined;
  readonly failed = new Promise<string>(() => {});

  constructor(files: FakeFiles) {
    this.files = files;
  }

  async serverInfo(): Promise<ServerInfo> {
    return {
      version: "0.1.0",
      started_at: "2026-11-21T02:02:14.617Z",
      cores: 2,
      cores_busy: 0,
      ram_bytes: 1024,
      ram_busy_bytes: 0,
      job_slots: 2,
      jobs_running: 0,
      jobs_waiting: 0,
      disk_free_bytes: 1024,
      run_counts: { RUNNING: 2, COMPLETE: 3 },
      ended_last_24h: { success: 3, failure: 0, canceled: 0, partial: 0 },
      last_seq: this.events.lastSeq,
      draining: this.draining,
      storage: this.trouble ?? "ok",
    };
  }

  async stop(mode: "drain" | "cancel" | "detach"): Promise<void> {
    this.draining = true;
    this.stops.push(mode);
  }
}
