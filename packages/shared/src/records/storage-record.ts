import { z } from "zod";
import { bytesSchema, runIdSchema, timeSchema } from "./primitives.ts";
import { RUN_PARTS } from "./run-parts.ts";

export const runPartSchema = z.enum(RUN_PARTS).meta({
  id: "RunPart",
  description:
    "`outputs`: the published outputs; `intermediate`: what jobs wrote and were given, logs apart; `logs`: what jobs wrote to their streams",
});

/** What a run takes on disk, measured after its end. */
export const storageSchema = z
  .object({
    total_bytes: bytesSchema,
    outputs_bytes: bytesSchema,
    intermediate_bytes: bytesSchema.meta({ description: "Without what is an output as well: two names of one file" }),
    logs_bytes: bytesSchema,
    measured_at: timeSchema,
  })
  .meta({ id: "Storage", description: "What a run takes on disk, in bytes of whole blocks" });
export type Storage = z.infer<typeof storageSchema>;

/** One part of a run that somebody removed from the disk. */
export const prunedPartSchema = z
  .object({
    part: runPartSchema,
    pruned_at: timeSchema,
    pruned_by: z.string().meta({ description: "`engine`: by the run's own option `keep_intermediate`" }),
    bytes: bytesSchema.nullable().meta({ description: "What became free; null while it is still being removed" }),
  })
  .meta({ id: "PrunedPart" });
export type PrunedPart = z.infer<typeof prunedPartSchema>;

/** POST /api/prune: what is to be removed. */
export const pruneSchema = z
  .strictObject({
    run_id: runIdSchema.optional().meta({ description: "Only of this run; needed for outputs and logs" }),
    parts: z.array(runPartSchema).max(RUN_PARTS.length).optional().meta({
      description: "Parts of runs that have ended. Absent: `intermediate`, unless uploads or downloads are asked for",
    }),
    uploads: z.boolean().optional().meta({ description: "Uploads that no run refers to whose outputs are there" }),
    downloads: z
      .boolean()
      .optional()
      .meta({ description: "Downloaded files that no unfinished run uses and that were not used recently" }),
    older_than_ms: z.int().min(0).optional().meta({
      description:
        "Only of runs that ended, uploads that came and downloads that were used so long ago. Absent: 30 days, and no bound for a `run_id`",
    }),
  })
  .meta({ id: "Prune" });
export type Prune = z.infer<typeof pruneSchema>;

export const PRUNE_OUTCOMES = ["planned", "pruned", "kept", "failed"] as const;

export const pruneEntrySchema = z
  .object({
    kind: z.enum(["run", "upload", "downloads"]),
    id: z.string().meta({ description: "Id of the run or the upload; empty for downloads, which are one entry" }),
    name: z.string(),
    time: timeSchema.nullable().meta({ description: "When the run ended or the upload came" }),
    part: runPartSchema.nullable(),
    outcome: z.enum(PRUNE_OUTCOMES),
    bytes: bytesSchema.meta({ description: "What becomes free, or became free" }),
    reason: z.string().nullable().meta({ description: "Why it was kept, or what could not be removed" }),
  })
  .meta({ id: "PruneEntry" });
export type PruneEntry = z.infer<typeof pruneEntrySchema>;

export const pruneReportSchema = z
  .object({
    dry_run: z.boolean(),
    entries: z.array(pruneEntrySchema).meta({ description: "At most 1,000; the totals count all" }),
    entries_total: z.int().min(0),
    bytes_total: bytesSchema,
    kept_total: z.int().min(0),
    failed_total: z.int().min(0),
  })
  .meta({ id: "PruneReport" });
export type PruneReport = z.infer<typeof pruneReportSchema>;
