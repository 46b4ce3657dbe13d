import { z } from "zod";
import { namedObject, namedStrictObject } from "./named-object.ts";
import { CONDITION_OPS } from "./condition-ops.ts";
import { catalogIdSchema, cwlValueSchema, runIdSchema, timeSchema, uuidSchema } from "./primitives.ts";

/** Maximum number of samples that a query returns. */
export const MAX_SAMPLES = 20_000;
/** Maximum number of files that a result lists as left out; it counts the others. */
export const MAX_LISTED_FILES = 1000;
export const MAX_QUERIES = 1000;
/** Maximum length of the name of a sample. */
export const MAX_NAME_LENGTH = 200;

const fieldSchema = z
  .string()
  .min(1)
  .max(100)
  .meta({
    description:
      "An entity of file names (`sub`, `ses`, `run`), `suffix`, `extension`, `datatype`, `path`, a column of a table (`age`), or a field of a JSON sidecar (`json.EchoTime`)",
    examples: ["suffix"],
  });

const columnNameSchema = z
  .string()
  .regex(/^[^\p{Cc}]{1,200}$/u)
  .describe("Name of the column: the input that it fills");

export const conditionSchema = namedStrictObject("DatasetCondition", {
  field: fieldSchema,
  op: z.enum(CONDITION_OPS).describe("Comparison operator"),
  values: z
    .array(z.string().max(200))
    .max(100)
    .optional()
    .describe(
      "`=`: any of these; `!=`: none of these; a single number for `>`, `>=`, `<` and `<=`; absent for `exists` and `missing`. Numbers are compared as numbers: `2` equals `02`",
    ),
});
export type DatasetCondition = z.infer<typeof conditionSchema>;

const whereSchema = z.array(conditionSchema).max(50);
const extensionSchema = z
  .string()
  .regex(/^\.[A-Za-z0-9.]{1,40}$/)
  .meta({ examples: [".json"] });
const optionalSchema = z
  .boolean()
  .optional()
  .describe("True: samples without it have null. Otherwise they are left out");

const fileColumnShape = {
  name: columnNameSchema,
  where: whereSchema.optional().describe("Conditions for the files, in addition to `where` of the query"),
  secondary: z
    .array(extensionSchema)
    .max(10)
    .optional()
    .describe("Extensions of companion files that become `secondaryFiles`, found by the inheritance principle"),
  optional: optionalSchema,
} as const;

export const datasetColumnSchema = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("file"), ...fileColumnShape }),
    z.strictObject({ kind: z.literal("files"), ...fileColumnShape }),
    z.strictObject({
      kind: z.literal("sidecar"),
      name: columnNameSchema,
      of: columnNameSchema.describe("A column of kind `file`"),
      extension: extensionSchema.optional().describe("Absent: `.json`"),
      optional: optionalSchema,
    }),
    z.strictObject({ kind: z.literal("value"), name: columnNameSchema, field: fieldSchema, optional: optionalSchema }),
  ])
  .meta({
    id: "DatasetColumn",
    description:
      "`file`: exactly one file per sample. `files`: a list of at least one. `sidecar`: the companion file of another column. `value`: the value of a field",
  });
export type DatasetColumn = z.infer<typeof datasetColumnSchema>;

export const datasetLocationSchema = z
  .string()
  .min(1)
  .max(4096)
  .meta({ description: "A data folder, or a folder below one", examples: ["weft-data://study/"] });

export const datasetPatternSchema = z
  .string()
  .min(1)
  .max(500)
  .meta({
    description:
      "How to read file names of a folder that is not a BIDS dataset: `{name}` is a field, `*` any text, `**` any folders",
    examples: ["{sample}/{session}_R{read}.fastq.gz"],
  });

export const datasetQuerySchema = namedStrictObject("DatasetQuery", {
  location: datasetLocationSchema,
  pattern: datasetPatternSchema.optional().describe("Absent: the folder is a BIDS dataset"),
  where: whereSchema.optional().describe("All must hold. Absent: all files"),
  per: z
    .array(fieldSchema)
    .min(1)
    .max(5)
    .describe(
      'Fields that identify a sample: `["sub"]`: one per subject; `["sub", "ses"]`: one per session; `["path"]`: one per file',
    ),
  columns: z.array(datasetColumnSchema).min(1).max(50).describe("The parts of each sample"),
});
export type DatasetQuery = z.infer<typeof datasetQuerySchema>;

export const queriedSampleSchema = namedObject("QueriedSample", {
  name: z.string().meta({ description: "Unique within the result", examples: ["sub-01_ses-2"] }),
  columns: z
    .record(z.string(), cwlValueSchema)
    .describe("Column to CWL value: a File, a list of Files, a text, a number or null"),
  fields: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .meta({
      description:
        "What the dataset says about it: entities that its files have in common, columns of `participants.tsv` and `sessions.tsv`. Absent in old records",
      examples: [{ sub: "01", ses: "2", age: 72 }],
    }),
  bytes: z.int().min(0).optional().describe("Total size of its files"),
  modified_at: timeSchema.optional().describe("When the newest of its files was last modified"),
});
export type QueriedSample = z.infer<typeof queriedSampleSchema>;

export const leftOutSchema = namedObject("LeftOut", {
  kind: z.enum(["sample", "file"]),
  name: z.string().describe("Name of the sample, or path of the file below the dataset"),
  reason: z.string().meta({ examples: ["age is 54, not > 60"] }),
});
export type LeftOut = z.infer<typeof leftOutSchema>;

export const queryResultSchema = namedObject("QueryResult", {
  location: datasetLocationSchema,
  samples: z.array(queriedSampleSchema).describe("By name"),
  left_out: z
    .array(leftOutSchema)
    .describe(`All samples that are left out, then files that no sample uses, at most ${MAX_LISTED_FILES}`),
  samples_left_out: z.int().min(0).describe("Number of samples that are left out"),
  files_left_out: z.int().min(0).describe("Including files that `left_out` does not list"),
  files_used: z.int().min(0).describe("Number of files that the samples use"),
});
export type QueryResult = z.infer<typeof queryResultSchema>;

export const DATASET_KINDS = ["bids", "files"] as const;

export const datasetSchema = namedObject("Dataset", {
  location: datasetLocationSchema,
  name: z.string(),
  kind: z.enum(DATASET_KINDS).describe("`bids`: has a `dataset_description.json`"),
});
export type Dataset = z.infer<typeof datasetSchema>;

export const datasetListSchema = namedObject("DatasetList", {
  datasets: z.array(datasetSchema).describe("Data folders, and the BIDS datasets directly in them"),
  truncated: z.boolean().describe("True if there are more than 10,000"),
});
export type DatasetList = z.infer<typeof datasetListSchema>;

/** A field of a dataset, for tables and menus. */
export const datasetFieldSchema = namedObject("DatasetField", {
  name: z.string(),
  label: z.string().meta({ examples: ["Session"] }),
  source: z.enum(["name", "participants", "sessions"]).describe("Source of its values"),
  values: z
    .array(
      z.object({
        value: z.string().describe("Value as text"),
        count: z.int().min(0).describe("Files or rows with it"),
      }),
    )
    .describe("The most frequent values first, at most 100; `count`: files or table rows"),
  distinct: z.int().min(0).describe("Number of different values"),
  min: z.number().nullable().describe("null unless all values are numbers"),
  max: z.number().nullable(),
});
export type DatasetField = z.infer<typeof datasetFieldSchema>;

export const datasetDetailSchema = namedObject("DatasetDetail", {
  ...datasetSchema.shape,
  title: z.string().nullable().describe("`Name` in `dataset_description.json`"),
  bids_version: z.string().nullable().describe("`BIDSVersion` in that file"),
  dataset_type: z.string().nullable().describe("`raw` or `derivative`"),
  fields: z.array(datasetFieldSchema),
  subjects: z.int().min(0).describe("Number of subjects with files"),
  sessions: z.int().min(0).describe("Number of sessions with files, over all subjects"),
  files: z.int().min(0).describe("Files whose names could be read"),
  problems: z.array(leftOutSchema).describe("Files that are not part of the dataset, at most 1,000"),
  problems_total: z.int().min(0).describe("Number of such files"),
});
export type DatasetDetail = z.infer<typeof datasetDetailSchema>;

export const datasetFileSchema = namedObject("DatasetFile", {
  path: z.string(),
  fields: z.record(z.string(), z.string()),
});
export type DatasetFile = z.infer<typeof datasetFileSchema>;

export const queryIdSchema = uuidSchema("ID of a saved query", "0b7c1c52-6a5e-4f0f-9f3c-0a9b3d1f7c11");

export const saveQuerySchema = namedStrictObject("SaveDatasetQuery", {
  name: z.string().trim().min(1).max(200),
  network: catalogIdSchema.describe("The network whose inputs the columns fill"),
  query: datasetQuerySchema,
});
export type SaveDatasetQuery = z.infer<typeof saveQuerySchema>;

export const savedQuerySchema = namedObject("SavedDatasetQuery", {
  query_id: queryIdSchema,
  ...saveQuerySchema.shape,
  revision: z.int().min(1).describe("Grows by one with every change"),
  updated_at: timeSchema,
  updated_by: z.string().describe("Principal of the last change"),
});
export type SavedDatasetQuery = z.infer<typeof savedQuerySchema>;

const requestedQueryShape = {
  query_id: queryIdSchema.optional().describe("A saved query"),
  query: datasetQuerySchema.optional(),
} as const;

/** `dataset` of an automation: exactly one of `query` and `query_id`. */
export const datasetOfRequestSchema = z
  .strictObject(requestedQueryShape)
  .refine(({ query_id: id, query }) => (id === undefined) !== (query === undefined), {
    message: "must have either a query or a query_id",
  })
  .meta({ id: "DatasetOfRequest" });
export type DatasetOfRequest = z.infer<typeof datasetOfRequestSchema>;

/** `dataset` of POST /api/runs: exactly one of `query`, `query_id` and `run_id`. */
export const datasetOfNewRunSchema = z
  .strictObject({
    ...requestedQueryShape,
    run_id: runIdSchema
      .optional()
      .describe(
        "An earlier run with a query. Inputs and samples come from the request; if it has samples of that run, Weft records its query again",
      ),
    samples: z
      .array(z.string().min(1).max(MAX_NAME_LENGTH))
      .min(1)
      .max(MAX_SAMPLES)
      .optional()
      .describe("Only these samples of the query. Absent: all"),
  })
  .refine(({ query_id: id, query, run_id: run }) => [id, query, run].filter((one) => one !== undefined).length === 1, {
    message: "must have exactly one of query, query_id and run_id",
  })
  .refine(({ run_id: run, samples }) => run === undefined || samples === undefined, {
    message: "takes `samples` only with a query; with `run_id`, the samples are those of the request",
    path: ["samples"],
  })
  .meta({ id: "DatasetOfNewRun" });
export type DatasetOfNewRun = z.infer<typeof datasetOfNewRunSchema>;

/** The query that gave a run its samples, and its result. */
export const datasetOfRunSchema = namedObject("DatasetOfRun", {
  query: datasetQuerySchema,
  query_id: queryIdSchema.nullable().describe("The saved query, which may have changed since; null: none"),
  name: z.string().nullable().describe("Name of the saved query when the run started"),
  asked_at: timeSchema.describe("When the query ran: when the run started, or the run that it repeats"),
  result: queryResultSchema.describe("The result of the query at that time"),
});
export type DatasetOfRun = z.infer<typeof datasetOfRunSchema>;

export const datasetFilePageSchema = namedObject("DatasetFilePage", {
  files: z.array(datasetFileSchema),
  from: z.int().min(0),
  total: z.int().min(0).describe("Number of files that match"),
});
export type DatasetFilePage = z.infer<typeof datasetFilePageSchema>;

export const savedQueryListSchema = namedObject("SavedDatasetQueryList", {
  queries: z.array(savedQuerySchema).describe("By network and name"),
});
