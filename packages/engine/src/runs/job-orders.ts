import { Recent } from "../async/recent.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { JobTableQuery } from "../journal/read-job-table.ts";
import type { RunRow } from "../journal/rows.ts";
import type { Caller } from "../port/caller.ts";

/** Number of orders kept: 400 KB each for 100,000 jobs. */
const MAX_ORDERS = 16;
/** The time for which the order of an open run is reused, so that consecutive pages are consistent. */
const FRESH_MS = 2000;

type ReadOrder = (caller: Caller, runId: string, query: JobTableQuery, nowMs: number) => Promise<Uint32Array>;

interface KeptOrder {
  readonly order: Promise<Uint32Array>;
  readonly revision: number;
  readonly atMs: number;
}

/** Recently requested orders of jobs, so that only the first page of a list scans all jobs. */
export class JobOrders {
  readonly #read: ReadOrder;
  readonly #nowMs: () => number;
  readonly #kept = new Recent<KeptOrder>(MAX_ORDERS);

  constructor(read: ReadOrder, nowMs: () => number) {
    this.#read = read;
    this.#nowMs = nowMs;
  }

  get(
    caller: Caller,
    { runId, revision, state }: Pick<RunRow, "runId" | "revision" | "state">,
    query: JobTableQuery,
  ): Promise<Uint32Array> {
    const key = JSON.stringify([runId, query]);
    const nowMs = this.#nowMs();
    const known = this.#kept.get(key);
    const isGood =
      known !== undefined && (isFinal(state) ? known.revision === revision : nowMs - known.atMs < FRESH_MS);
    if (isGood) return known.order;
    const kept = this.#kept.set(key, { order: this.#read(caller, runId, query, nowMs), revision, atMs: nowMs });
    // A failed request is repeated.
    kept.order.catch(() => this.#kept.get(key) === kept && this.#kept.forget(key));
    return kept.order;
  }
}
