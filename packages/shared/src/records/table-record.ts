import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { runIdSchema } from "./primitives.ts";

/** Maximum number of other runs in a table. */
export const MAX_OTHER_RUNS = 9;
/** Maximum number of fields in a table. */
export const MAX_TABLE_FIELDS = 100;
/** Maximum number of rows in a table. */
export const MAX_TABLE_ROWS = 50_000;

export const TABLE_SOURCES = ["input", "dataset", "output", "review"] as const;
export type TableSource = (typeof TABLE_SOURCES)[number];

export const FIELD_TYPES = ["number", "boolean", "text"] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const tableValueSchema = z
  .union([z.number(), z.boolean(), z.string()])
  .nullable()
  .meta({ id: "TableValue", description: "null: the sample has no such value" });
export type TableValue = z.infer<typeof tableValueSchema>;

const columnShape = {
  id: z.string().meta({
    description:
      "`input.NAME`, `dataset.NAME`, `output.NAME` or `review.NAME`, then the keys within it: `output.measures/volume_ml`",
    examples: ["output.measures/volume_ml"],
  }),
  source: z.enum(TABLE_SOURCES),
  label: z.string().describe("Short name, unique in the table"),
  type: z.enum(FIELD_TYPES),
};

export const tableColumnSchema = namedObject("TableColumn", columnShape);
export type TableColumn = z.infer<typeof tableColumnSchema>;

export const tableFieldSchema = namedObject("TableField", {
  ...columnShape,
  port: z.string().describe("Input, output, or column of the dataset, that contains the field"),
  filled: z.int().min(0).describe("Number of examined samples with a value"),
  distinct: z.int().min(0).describe("Number of distinct values in the examined samples"),
  example: tableValueSchema,
});
export type TableField = z.infer<typeof tableFieldSchema>;

/** A file that could not be read as measures. */
export const unreadFileSchema = namedObject("UnreadFile", {
  port: z.string(),
  name: z.string(),
  sample_id: z.string().nullable(),
  why: z.string(),
});
export type UnreadFile = z.infer<typeof unreadFileSchema>;

const tableRunSchema = namedObject("TableRun", { run_id: runIdSchema, name: z.string() });

const unreadShape = {
  unread: z.array(unreadFileSchema).describe("The first files without usable values"),
  unread_total: z.int().min(0).describe("Number of such files"),
};

export const tableFieldsSchema = namedObject("TableFields", {
  runs: z.array(tableRunSchema),
  samples: z.int().min(0).describe("Number of rows of the table"),
  examined: z.int().min(0).describe("Number of samples in which Weft looked for fields"),
  fields: z.array(tableFieldSchema),
  truncated: z.boolean().describe("True if there are more fields than listed"),
  ...unreadShape,
});
export type TableFields = z.infer<typeof tableFieldsSchema>;

export const tableRowSchema = namedObject("TableRow", {
  run_id: runIdSchema,
  sample_id: z.string().nullable(),
  index: z.int().min(0).nullable().describe("Position in the lists of the run"),
  values: z.array(tableValueSchema).describe("One for each column"),
});
export type TableRow = z.infer<typeof tableRowSchema>;

export const tablePageSchema = namedObject("TablePage", {
  runs: z.array(tableRunSchema),
  columns: z.array(tableColumnSchema).describe("The columns of `values` in each row"),
  rows: z.array(tableRowSchema).describe("Rows of this page"),
  from: z.int().min(0),
  total: z.int().min(0).describe("Number of rows of the table"),
  ...unreadShape,
});
export type TablePage = z.infer<typeof tablePageSchema>;

export const TABLE_FORMATS = ["csv", "tsv", "parquet"] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];
