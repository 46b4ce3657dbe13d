import { statfs } from "node:fs/promises";
import type { ServerStatus } from "@weft/shared/records/lineage-record.ts";
import type { Journal } from "../journal/journal.ts";
import type { Scheduler } from "../schedule/scheduler.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const MIB = 1024 * 1024;

export interface ServerFacts {
  readonly version: string;
  readonly startedMs: number;
  readonly stateFolder: string;
  readonly draining: boolean;
  /** Names of the folders that outputs may be copied to. */
  readonly sinkRoots: readonly string[];
}

/** The current state of the machine and the queue. */
export async function serverInfo(facts: ServerFacts, journal: Journal, scheduler: Scheduler): Promise<ServerStatus> {
  const disk = await statfs(facts.stateFolder);
  const { capacity, usage } = scheduler;
  const outcomes = journal.read.outcomesSince(journal.nowMs() - DAY_MS);
  return {
    version: facts.version,
    started_at: new Date(facts.startedMs).toISOString(),
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
    sinks: facts.sinkRoots.toSorted(),
    run_counts: { ...journal.read.stateCounts() },
    ended_last_24h: {
      success: outcomes["success"] ?? 0,
      failure: outcomes["failure"] ?? 0,
      canceled: outcomes["canceled"] ?? 0,
      partial: outcomes["partial"] ?? 0,
    },
    last_seq: journal.lastSeq,
    draining: facts.draining,
    storage: journal.storageProblem ?? "ok",
  };
}
