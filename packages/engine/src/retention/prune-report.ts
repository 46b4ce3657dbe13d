import type { PruneEntry, PruneReport } from "@weft/shared/records/storage-record.ts";

/** Bounds the size of the answer. */
const SHOWN = 1000;

/** Collects what a prune did, or would do. */
export class PruneTally {
  readonly #isDryRun: boolean;
  readonly #entries: PruneEntry[] = [];
  #total = 0;
  #bytes = 0;
  #kept = 0;
  #failed = 0;

  constructor(isDryRun: boolean) {
    this.#isDryRun = isDryRun;
  }

  add(entry: PruneEntry): void {
    this.#total += 1;
    this.#bytes += entry.bytes;
    if (entry.outcome === "kept") this.#kept += 1;
    if (entry.outcome === "failed") this.#failed += 1;
    if (this.#entries.length < SHOWN) this.#entries.push(entry);
  }

  get report(): PruneReport {
    return {
      dry_run: this.#isDryRun,
      entries: this.#entries,
      entries_total: this.#total,
      bytes_total: this.#bytes,
      kept_total: this.#kept,
      failed_total: this.#failed,
    };
  }
}
