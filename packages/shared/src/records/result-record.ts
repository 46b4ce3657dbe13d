import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { cwlValueSchema, jobIdSchema, runIdSchema } from "./primitives.ts";
import { jobStateSchema } from "./state.ts";

/** Entries that one cell shows of its lists, folders and records; a longer text is cut as well. */
export const MAX_CELL_ENTRIES = 200;

export const resultColumnSchema = namedObject("ResultColumn", {
  output: z.string(),
  label: z.string().optional(),
  by: z
    .enum(["sample", "run"])
    .describe(
      "`sample`: a list with one element for each job of a scattered step. `run`: any other value; a list of files has one row for each file",
    ),
  rows: z.int().min(0).describe("Number of matching rows with a cell of this output"),
});
export type ResultColumn = z.infer<typeof resultColumnSchema>;

export const resultCellSchema = namedObject("ResultCell", {
  output: z.string(),
  index: z.int().min(0).optional().describe("Position in the output's list; absent without a list"),
  value: cwlValueSchema.describe("The CWL value; null if there is none"),
  cut: z
    .boolean()
    .optional()
    .describe(`True if the cell has only the first ${MAX_CELL_ENTRIES} entries, or the beginning of a text`),
  missing: z
    .object({ step: z.string(), job_id: jobIdSchema.nullable(), state: jobStateSchema.nullable() })
    .optional()
    .describe("Why a partial run has no value here; `state` is null if no job started"),
});
export type ResultCell = z.infer<typeof resultCellSchema>;

export const resultRowSchema = namedObject("ResultRow", {
  sample_id: z.string().nullable(),
  index: z.int().min(0).nullable().describe("Position in the row's lists; null without a list"),
  cells: z.array(resultCellSchema),
});
export type ResultRow = z.infer<typeof resultRowSchema>;

export const runResultsSchema = namedObject("RunResults", {
  run_id: runIdSchema,
  partial: z.boolean().describe("As in `GET /api/runs/{run_id}/outputs`"),
  truncated: z.boolean().optional().describe("As in `GET /api/runs/{run_id}/outputs`"),
  columns: z.array(resultColumnSchema).describe("One for each output, in the order of the document"),
  rows: z
    .array(resultRowSchema)
    .describe("First the outputs of the whole run, in column order, then one row per sample"),
  from: z.int().min(0).describe("Number of the first row here, from 0"),
  total: z.int().min(0).describe("Number of rows that match the filter"),
});
export type RunResults = z.infer<typeof runResultsSchema>;
