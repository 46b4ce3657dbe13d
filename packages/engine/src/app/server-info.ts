import { statfs } from "node:fs/promises";
import type { ServerStatus } from "@weft/shared/records/lineage-record.ts";
import type { Journal } from "../journal/journal.ts";
import type { SinkFolders } from "../sink/sink-folders.ts";
import type { Scheduler } from "../schedule/scheduler.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const MIB = 1024 * 1024;

interface ServerParts {
  readonly version: string;
  readonly startedMs: number;
  readonly folder: { readonly root: string };
  readonly sinks: SinkFolders;
  readonly journal: Journal;
  readonly scheduler: Scheduler;
  readonly isDraining: () => boolean;
}

/** The current state of the machine and the queue. */
export async function serverInfo({ journal, scheduler, ...parts }: ServerParts): Promise<ServerStatus> {
  const disk = await statfs(parts.folder.root);
  const { capacity, usage } = scheduler;
  const outcomes = journal.read.outcomesSince(journal.nowMs() - DAY_MS);
  return {
    version: parts.version,
    started_at: new Date(parts.startedMs).toISOString(),
    cores: capacity.cores,
    cores_busy: usage.cores,
    ram_bytes: capacity.ramMib * MIB,
    ram_busy_bytes: usage.ramMib * MIB,
    job_slots: capacity.slots,
    jobs_running: usage.running,
    jobs_waiting: usage.waiting,
    jobs_waiting_for: { ...scheduler.waitingFor() },
    runs_storage_bytes: { ...journal.read.storageTotals() },
    disk_free_bytes: disk.bavail * disk.bsize,
    sinks: Object.keys(parts.sinks.folders).toSorted(),
    run_counts: { ...journal.read.stateCounts() },
    ended_last_24h: {
      success: outcomes["success"] ?? 0,
      failure: outcomes["failure"] ?? 0,
      canceled: outcomes["canceled"] ?? 0,
      partial: outcomes["partial"] ?? 0,
    },
    last_seq: journal.lastSeq,
    draining: parts.isDraining(),
    storage: journal.storageProblem ?? "ok",
  };
}
