import { Refusal } from "@weft/shared/records/refusal.ts";
import type { RunPart } from "@weft/shared/records/run-parts.ts";
import type { Prune } from "@weft/shared/records/storage-record.ts";

/** The parts to remove, with all defaults filled in. */
export interface PruneOrder {
  readonly actor: string;
  readonly isDryRun: boolean;
  readonly runId: string | undefined;
  readonly parts: readonly RunPart[];
  readonly uploads: boolean;
  readonly downloads: boolean;
  /** Selects runs, uploads and downloads that ended, arrived or were used at this time or earlier. */
  readonly beforeMs: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const USUAL_AGE_MS = 30 * DAY_MS;

export interface PruneAsker {
  readonly actor: string;
  readonly isDryRun: boolean;
  readonly nowMs: number;
}

/** Refuses to remove outputs or logs of runs that the request does not name. */
export function orderOf(body: Prune, { actor, isDryRun, nowMs }: PruneAsker): PruneOrder {
  const { run_id: runId, uploads = false, downloads = false } = body;
  const parts = body.parts ?? (uploads || downloads ? [] : ["intermediate" as const]);
  const results = parts.filter((part) => part !== "intermediate");
  if (runId === undefined && results.length > 0)
    throw wrong("/parts", "run-needed", `To remove the ${results.join(" and ")} of a run, name the run in \`run_id\`.`);
  if (runId !== undefined && (uploads || downloads))
    throw wrong(
      "/run_id",
      "not-together",
      "Uploads and downloads do not belong to a run: remove `run_id`, or do not select them.",
    );
  const ageMs = body.older_than_ms ?? (runId === undefined ? USUAL_AGE_MS : 0);
  // Outputs last, so that an interruption removes as little as possible.
  const inOrder = (["intermediate", "logs", "outputs"] as const).filter((part) => parts.includes(part));
  return { actor, isDryRun, runId, parts: inOrder, uploads, downloads, beforeMs: nowMs - ageMs };
}

function wrong(pointer: string, code: string, detail: string): Refusal {
  return new Refusal("invalid-body", detail, { errors: [{ pointer, code, detail }] });
}
