import { RUN_PARTS, type RunPart } from "@weft/shared/records/run-parts.ts";
import type { Prune } from "@weft/shared/records/storage-record.ts";

const DAY_MS = 86_400_000;

/** The parts that can be deleted: parts of runs, uploads and downloads. */
export type PruneKind = RunPart | "uploads" | "downloads";

export interface PruneOffer {
  readonly kind: PruneKind;
  readonly label: string;
  readonly text: string;
}

const INTERMEDIATE: PruneOffer = {
  kind: "intermediate",
  label: "Intermediate files",
  text: "files passed between steps. Affected results can no longer be reused.",
};

/** The deletable parts of one finished run. */
export const RUN_OFFERS: readonly PruneOffer[] = [
  INTERMEDIATE,
  { kind: "logs", label: "Logs", text: "standard output and standard error of all jobs" },
  { kind: "outputs", label: "Outputs", text: "result files. Their checksums stay on record." },
];

/** The parts that can be deleted on the whole server. Outputs and logs can only be deleted run by run. */
export const SERVER_OFFERS: readonly PruneOffer[] = [
  INTERMEDIATE,
  { kind: "uploads", label: "Uploads", text: "uploaded files that no kept run needs" },
  { kind: "downloads", label: "Downloads", text: "copies of remote files, which can be downloaded again" },
];

/** Minimum age: since runs finished, uploads arrived, and downloads were last used. */
export const AGES_DAYS = [0, 7, 30, 90, 365] as const;

interface PruneChoice {
  readonly kinds: ReadonlySet<PruneKind>;
  /** The run to prune regardless of its age; undefined for all runs. */
  readonly runId: string | undefined;
  readonly olderThanDays: number;
}

/** The body of POST /api/prune; undefined if nothing is selected. */
export function pruneBody({ kinds, runId, olderThanDays }: PruneChoice): Prune | undefined {
  if (kinds.size === 0) return undefined;
  const parts = RUN_PARTS.filter((part) => kinds.has(part));
  if (runId !== undefined) return { run_id: runId, parts };
  return {
    parts,
    uploads: kinds.has("uploads"),
    downloads: kinds.has("downloads"),
    older_than_ms: olderThanDays * DAY_MS,
  };
}
