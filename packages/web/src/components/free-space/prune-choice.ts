import { RUN_PARTS, type RunPart } from "@weft/shared/records/run-parts.ts";
import type { Prune } from "@weft/shared/records/storage-record.ts";

const DAY_MS = 86_400_000;

/** What may be removed: parts of runs, uploads and downloads. */
export type PruneKind = RunPart | "uploads" | "downloads";

export interface PruneOffer {
  readonly kind: PruneKind;
  readonly label: string;
  readonly text: string;
}

const INTERMEDIATE: PruneOffer = {
  kind: "intermediate",
  label: "Intermediate files",
  text: "what jobs wrote in between. Later runs cannot take over the results of these jobs then.",
};

/** What can be removed of one ended run. */
export const RUN_OFFERS: readonly PruneOffer[] = [
  INTERMEDIATE,
  { kind: "logs", label: "Logs", text: "what jobs wrote to standard output and standard error" },
  { kind: "outputs", label: "Outputs", text: "the results themselves. Their checksums stay on record." },
];

/** What can be removed from the whole server. Outputs and logs can only be removed run by run. */
export const SERVER_OFFERS: readonly PruneOffer[] = [
  INTERMEDIATE,
  {
    kind: "uploads",
    label: "Uploads",
    text: "files that were uploaded, but for those that a run whose outputs are there was given",
  },
  { kind: "downloads", label: "Downloads", text: "copies of files of the web, which can be fetched again" },
];

/** Minimum age: since runs ended, uploads arrived, and downloads were last used. */
export const AGES_DAYS = [0, 7, 30, 90, 365] as const;

export interface PruneChoice {
  readonly kinds: ReadonlySet<PruneKind>;
  /** Only this run, whatever its age. */
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
