import { z } from "zod";
import { cwlValueSchema, jobIdSchema, runIdSchema } from "./primitives.ts";
import { jobStateSchema } from "./state.ts";

/** Entries that one cell shows of its lists, folders and records; a longer text is cut as well. */
export const MAX_CELL_ENTRIES = 200;

export const resultColumnSchema = z
  .object({
    output: z.string(),
    label: z.string().optional(),
    by: z.enum(["sample", "run"]).meta({
      description:
        "`sample`: a list with one element for each job of a scattered step. `run`: any other value; a list of files has one row for each file",
    }),
    rows: z.int().min(0).meta({ description: "Rows with a cell of this output that fit the filter" }),
  })
  .meta({ id: "ResultColumn" });
export type ResultColumn = z.infer<typeof resultColumnSchema>;

export const resultCellSchema = z
  .object({
    output: z.string(),
    index: z.int().min(0).optional().meta({ description: "Position in the list of the output; absent: of no list" }),
    value: cwlValueSchema.meta({ description: "The CWL value; null where there is none" }),
    cut: z
      .boolean()
      .optional()
      .meta({
        description: `True where only the first ${MAX_CELL_ENTRIES} entries of the value, or the beginning of a text, are here`,
      }),
    missing: z
      .object({ step: z.string(), job_id: jobIdSchema.nullable(), state: jobStateSchema.nullable() })
      .optional()
      .meta({ description: "Why a partial run has no value here; `state` null: no job was started" }),
  })
  .meta({ id: "ResultCell" });
export type ResultCell = z.infer<typeof resultCellSchema>;

export const resultRowSchema = z
  .object({
    sample_id: z.string().nullable(),
    index: z.int().min(0).nullable().meta({ description: "Position in the lists of the row; null: of no list" }),
    cells: z.array(resultCellSchema),
  })
  .meta({ id: "ResultRow" });
export type ResultRow = z.infer<typeof resultRowSchema>;

export const runResultsSchema = z
  .object({
    run_id: runIdSchema,
    partial: z.boolean().meta({ description: "As in `GET /api/runs/{run_id}/outputs`" }),
    truncated: z.boolean().optional().meta({ description: "As in `GET /api/runs/{run_id}/outputs`" }),
    columns: z.array(resultColumnSchema).meta({ description: "One for each output, in the order of the document" }),
    rows: z.array(resultRowSchema).meta({
      description: "First those of the outputs of the run as a whole, in the order of the columns, then one per sample",
    }),
    from: z.int().min(0).meta({ description: "Number of the first row of this answer" }),
    total: z.int().min(0).meta({ description: "Number of all rows that fit the filter" }),
  })
  .meta({ id: "RunResults" });
export type RunResults = z.infer<typeof runResultsSchema>;
