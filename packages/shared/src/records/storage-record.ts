import { z } from "zod";
import { bytesSchema, runIdSchema, timeSchema } from "./primitives.ts";
import { RUN_PARTS } from "./run-parts.ts";

export const runPartSchema = z.enum(RUN_PARTS).meta({
  id: "RunPart",
  description:
    "`outputs`: published outputs; `intermediate`: other files that jobs wrote or received; `logs`: standard output and error of jobs",
});

/** Disk space of a run, measured after its end. */
export const storageSchema = z
  .object({
    total_bytes: bytesSchema,
    outputs_bytes: bytesSchema,
    intermediate_bytes: bytesSchema.meta({ description: "Bytes, without files that are also outputs" }),
    logs_bytes: bytesSchema,
    measured_at: timeSchema,
  })
  .meta({ id: "Storage", description: "Disk use of a run, in bytes of whole blocks" });
export type Storage = z.infer<typeof storageSchema>;

/** One part of a run that a user removed from the disk. */
export const prunedPartSchema = z
  .object({
    part: runPartSchema,
    pruned_at: timeSchema,
    pruned_by: z.string().meta({ description: "`engine`: the run's option `keep_intermediate`" }),
    bytes: bytesSchema.nullable().meta({ description: "Bytes freed; null while the removal is unfinished" }),
  })
  .meta({ id: "PrunedPart" });
export type PrunedPart = z.infer<typeof prunedPartSchema>;

/** The body of POST /api/prune: the parts of runs to remove. */
export const pruneSchema = z
  .strictObject({
    run_id: runIdSchema.optional().meta({ description: "Only this run; required for outputs and logs" }),
    parts: z.array(runPartSchema).max(RUN_PARTS.length).optional().meta({
      description: "Parts of finished runs. Absent: `intermediate`, unless `uploads` or `downloads` is true",
    }),
    uploads: z.boolean().optional().meta({ description: "Uploads that no run with stored outputs uses" }),
    downloads: z
      .boolean()
      .optional()
      .meta({ description: "Downloads that no unfinished run uses and that were not used recently" }),
    older_than_ms: z.int().min(0).optional().meta({
      description:
        "Minimum milliseconds since the run finished, the upload arrived or the download was last used. Absent: 30 days; 0 with `run_id`",
    }),
  })
  .meta({ id: "Prune" });
export type Prune = z.infer<typeof pruneSchema>;

export const PRUNE_OUTCOMES = ["planned", "pruned", "kept", "failed"] as const;

export const pruneEntrySchema = z
  .object({
    kind: z.enum(["run", "upload", "downloads"]),
    id: z.string().meta({ description: "ID of the run or the upload; empty for downloads, which share one entry" }),
    name: z.string(),
    time: timeSchema.nullable().meta({ description: "When the run finished or the upload arrived" }),
    part: runPartSchema.nullable(),
    outcome: z.enum(PRUNE_OUTCOMES),
    bytes: bytesSchema.meta({ description: "Bytes freed, or to be freed" }),
    reason: z.string().nullable().meta({ description: "Why Weft kept it, or could not remove it" }),
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
