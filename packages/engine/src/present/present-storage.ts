import type { RunPart } from "@weft/shared/records/run-parts.ts";
import type { PrunedPart, Storage } from "@weft/shared/records/storage-record.ts";
import type { PrunedRow, StorageRow } from "../journal/read-storage.ts";
import { timeText } from "./present-time.ts";

export function presentStorage(row: StorageRow | undefined): Storage | null {
  if (row === undefined) return null;
  const { measured_ms, ...bytes } = row;
  const total_bytes = bytes.outputs_bytes + bytes.intermediate_bytes + bytes.logs_bytes;
  return { total_bytes, ...bytes, measured_at: timeText(measured_ms) };
}

export function presentPruned({ item, actor, begunMs, endedMs, bytes }: PrunedRow): PrunedPart {
  const part = item.split("/").at(-1) as RunPart; // `runs/<run id>/<part>`
  return { part, pruned_at: timeText(begunMs), pruned_by: actor, bytes: endedMs === null ? null : bytes };
}

const WORDS: Readonly<Record<RunPart, string>> = {
  outputs: "outputs",
  intermediate: "intermediate files",
  logs: "logs",
};

/** One sentence for the caller who requests a removed file. */
export function prunedText(part: RunPart, { actor, begunMs }: PrunedRow): string {
  const who = actor === "engine" ? "because of the run's option keep_intermediate" : `by ${actor}`;
  return `The ${WORDS[part]} of this run were removed ${who} at ${timeText(begunMs)}. The record of the run remains; run it again to recreate them.`;
}
