import type { NewEvent } from "../../journal/journal-event.ts";
import type { LogReader } from "../../journal/log-reader.ts";
import { keptText } from "../../values/record-values.ts";
import { deliverOutputs, reviewEvent, type DeliveringRun } from "./deliver-outputs.ts";
import type { DrivenEnd } from "./run-outcome.ts";
import type { RunServices } from "./run-services.ts";

/**
 * Publishes the outputs, copies them to their destinations, and records the end: synced to disk first, then one commit.
 * After a crash, a server repeats all of it and finds what is already done.
 */
export async function endRun(run: DeliveringRun, driven: DrivenEnd, services: RunServices): Promise<void> {
  const { runId } = run;
  const { end, recorded, filesBefore, picture, placed } = await deliverOutputs(run, driven, services);
  const { state, outcome, reason } = end;
  const list = placed === undefined ? undefined : keptText(JSON.stringify(placed.placed));
  if (placed !== undefined) await services.onPlaced({ ...placed, runId, reach: services.reach });
  const event: NewEvent = {
    type: "run.ended",
    run_id: runId,
    actor: "engine",
    data: {
      state,
      outcome,
      reason,
      outputs: recorded?.digest ?? null,
      files: recorded?.files ?? [],
      ...(filesBefore === 0 ? {} : { files_before: filesBefore }),
      ...(driven.kill === undefined ? {} : { kill: driven.kill }),
      ...(list === undefined ? {} : { placed: list.digest }),
    },
    blobs: [...(recorded?.blobs ?? []), ...(list === undefined ? [] : [list])],
  };
  const { read } = services.journal;
  const review = outcome === "success" ? reviewEvent(runId, picture, read) : undefined;
  await services.journal.append([
    ...driven.killed,
    event,
    ...archiveEvents(runId, read),
    ...(review === undefined ? [] : [review]),
  ]);
}

/** Archives the ended run of a draft or test, which lead to it: lists show the runs of published documents. */
export function archiveEvents(runId: string, read: Pick<LogReader, "creation">): readonly NewEvent[] {
  const { draft, test } = read.creation(runId);
  if (draft === undefined && test === undefined) return [];
  return [{ type: "run.described", run_id: runId, actor: "engine", data: { archived: true } }];
}
