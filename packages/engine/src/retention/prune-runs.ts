import { Refusal } from "@weft/shared/records/refusal.ts";
import type { RunPart } from "@weft/shared/records/run-parts.ts";
import type { PruneEntry } from "@weft/shared/records/storage-record.ts";
import { runItem } from "../files/used-items.ts";
import type { RemovalFailure } from "@weft/shared/events/run-events.ts";
import type { LogReader } from "../journal/log-reader.ts";
import type { EndedRun } from "../journal/read-storage.ts";
import { timeText } from "../present/present-time.ts";
import type { PruneOrder } from "./prune-order.ts";
import type { RunStorage } from "./run-storage.ts";

/** Removes the requested parts of runs, or reports what would be removed; one after the other. */
export async function* pruneRuns(order: PruneOrder, read: LogReader, storage: RunStorage): AsyncGenerator<PruneEntry> {
  for (const part of order.parts) {
    for (const run of runsOf(order, part, read)) {
      yield order.isDryRun ? await plan(run, part, { read, storage }) : await remove(run, part, { order, storage });
    }
  }
}

function runsOf({ runId, beforeMs }: PruneOrder, part: RunPart, read: LogReader): readonly EndedRun[] {
  if (runId === undefined) return read.endedRuns(part, beforeMs);
  const row = read.run(runId);
  if (row === undefined) throw new Refusal("run-not-found", `There is no run ${runId}.`);
  if (row.endedMs === null)
    throw new Refusal(
      "conflict",
      `The run ${runId} is still open (${row.state}), so nothing of it is removed. Wait until it ends, or abort it.`,
    );
  return row.endedMs > beforeMs ? [] : [{ runId, name: row.name, endedMs: row.endedMs, storage: read.storage(runId) }];
}

function entryOf({ runId, name, endedMs }: EndedRun, part: RunPart) {
  return { kind: "run", id: runId, name, time: timeText(endedMs), part } as const;
}

async function plan(
  run: EndedRun,
  part: RunPart,
  { read, storage }: { readonly read: LogReader; readonly storage: RunStorage },
): Promise<PruneEntry> {
  if (read.usersOf(runItem(run.runId, part)).length > 0)
    return { ...entryOf(run, part), outcome: "kept", bytes: 0, reason: storage.whyKept(run.runId, part) };
  const bytes = run.storage?.[`${part}_bytes`] ?? (await storage.measure(run.runId))[`${part}_bytes`];
  return { ...entryOf(run, part), outcome: "planned", bytes, reason: null };
}

async function remove(
  run: EndedRun,
  part: RunPart,
  { order, storage }: { readonly order: PruneOrder; readonly storage: RunStorage },
): Promise<PruneEntry> {
  const result = await storage.remove(run.runId, part, order.actor);
  if (result.kind === "kept") return { ...entryOf(run, part), outcome: "kept", bytes: 0, reason: result.why };
  const { bytes, failures } = result;
  return { ...entryOf(run, part), bytes, ...outcomeOf(failures) };
}

export function outcomeOf(failures: readonly RemovalFailure[]): Pick<PruneEntry, "outcome" | "reason"> {
  const [first, ...more] = failures;
  if (first === undefined) return { outcome: "pruned", reason: null };
  const others = more.length > 0 ? ` (and ${more.length} more)` : "";
  return { outcome: "failed", reason: `${first.path} could not be removed: ${first.message}${others}` };
}
