import { untilAborted } from "../async/until-aborted.ts";
import type { NewEvent } from "./journal-event.ts";
import type { Journal } from "./journal.ts";

/**
 * Appends events about work that is about to begin. Waits while the disk has a problem, but an abort must not wait:
 * false if `signal` came first. A later record changes nothing, because the end of the run closes it.
 */
export async function recordBeginning(
  events: readonly NewEvent[],
  journal: Pick<Journal, "append">,
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted) return false;
  const recorded = journal.append(events).then(() => true);
  return untilAborted(recorded, signal, () => false);
}

/** Resolves when the disk allows work to begin, or when `signal` says that none should. */
export async function untilHealthy(
  journal: Pick<Journal, "storageProblem" | "well">,
  signal: AbortSignal,
): Promise<void> {
  if (journal.storageProblem !== undefined) await untilAborted(journal.well, signal, () => {});
}
