import { z } from "zod";
import { namedObject, namedStrictObject } from "./named-object.ts";
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
    intermediate_bytes: bytesSchema.describe("Bytes, without files that are also outputs"),
    logs_bytes: bytesSchema,
    measured_at: timeSchema,
  })
  .meta({ id: "Storage", description: "Disk use of a run, in bytes of whole blocks" });
export type Storage = z.infer<typeof storageSchema>;

/** One part of a run that a user removed from the disk. */
export const prunedPartSchema = namedObject("PrunedPart", {
  part: runPartSchema,
  pruned_at: timeSchema,
  pruned_by: z.string().describe("`engine`: the run's option `keep_intermediate`"),
  bytes: bytesSchema.nullable().describe("Bytes freed; null while the removal is unfinished"),
});
export type PrunedPart = z.infer<typeof prunedPartSchema>;

/** The body of POST /api/prune: the parts of runs to remove. */
export const pruneSchema = namedStrictObject("Prune", {
  run_id: runIdSchema.optional().describe("Only this run; required for outputs and logs"),
  parts: z
    .array(runPartSchema)
    .max(RUN_PARTS.length)
    .optional()
    .describe("Parts of finished runs. Absent: `intermediate`, unless `uploads` or `downloads` is true"),
  uploads: z.boolean().optional().describe("Uploads that no run with stored outputs uses"),
  downloads: z.boolean().optional().describe("Downloads that no unfinished run uses and that were not used recently"),
  older_than_ms: z
    .int()
    .min(0)
    .optional()
    .describe(
      "Minimum milliseconds since the run finished, the upload arrived or the download was last used. Absent: 30 days; 0 with `run_id`",
    ),
});
export type Prune = z.infer<typeof pruneSchema>;

export const PRUNE_OUTCOMES = ["planned", "pruned", "kept", "failed"] as const;

export const pruneEntrySchema = namedObject("PruneEntry", {
  kind: z.enum(["run", "upload", "downloads"]),
  id: z.string().describe("ID of the run or the upload; empty for downloads, which share one entry"),
  name: z.string(),
  time: timeSchema.nullable().describe("When the run finished or the upload arrived"),
  part: runPartSchema.nullable(),
  outcome: z.enum(PRUNE_OUTCOMES),
  bytes: bytesSchema.describe("Bytes freed, or to be freed"),
  reason: z.string().nullable().describe("Why Weft kept it, or could not remove it"),
});
export type PruneEntry = z.infer<typeof pruneEntrySchema>;

export const pruneReportSchema = namedObject("PruneReport", {
  dry_run: z.boolean(),
  entries: z.array(pruneEntrySchema).describe("At most 1,000; the totals count all"),
  entries_total: z.int().min(0),
  bytes_total: bytesSchema,
  kept_total: z.int().min(0),
  failed_total: z.int().min(0),
});
export type PruneReport = z.infer<typeof pruneReportSchema>;
