import { z } from "zod";
import { CONDITION_OPS } from "./condition-ops.ts";
import { catalogIdSchema, cwlValueSchema, runIdSchema, timeSchema } from "./primitives.ts";

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
  .meta({ description: "Name of the column: the input that it fills" });

export const conditionSchema = z
  .strictObject({
    field: fieldSchema,
    op: z.enum(CONDITION_OPS).meta({ description: "Comparison operator" }),
    values: z.array(z.string().max(200)).max(100).optional().meta({
      description:
        "`=`: any of these; `!=`: none of these; a single number for `>`, `>=`, `<` and `<=`; absent for `exists` and `missing`. Numbers are compared as numbers: `2` equals `02`",
    }),
  })
  .meta({ id: "DatasetCondition" });
export type DatasetCondition = z.infer<typeof conditionSchema>;

const whereSchema = z.array(conditionSchema).max(50);
const extensionSchema = z
  .string()
  .regex(/^\.[A-Za-z0-9.]{1,40}$/)
  .meta({ examples: [".json"] });
const optionalSchema = z
  .boolean()
  .optional()
  .meta({ description: "True: samples without it have null. Otherwise they are left out" });

const fileColumnShape = {
  name: columnNameSchema,
  where: whereSchema.optional().meta({ description: "Conditions for the files, in addition to `where` of the query" }),
  secondary: z.array(extensionSchema).max(10).optional().meta({
    description: "Extensions of companion files that become `secondaryFiles`, found by the inheritance principle",
  }),
  optional: optionalSchema,
} as const;

export const datasetColumnSchema = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("file"), ...fileColumnShape }),
    z.strictObject({ kind: z.literal("files"), ...fileColumnShape }),
    z.strictObject({
      kind: z.literal("sidecar"),
      name: columnNameSchema,
      of: columnNameSchema.meta({ description: "A column of kind `file`" }),
      extension: extensionSchema.optional().meta({ description: "Absent: `.json`" }),
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

export const datasetQuerySchema = z
  .strictObject({
    location: datasetLocationSchema,
    pattern: datasetPatternSchema.optional().meta({ description: "Absent: the folder is a BIDS dataset" }),
    where: whereSchema.optional().meta({ description: "All must hold. Absent: all files" }),
    per: z.array(fieldSchema).min(1).max(5).meta({
      description:
        'Fields that identify a sample: `["sub"]`: one per subject; `["sub", "ses"]`: one per session; `["path"]`: one per file',
    }),
    columns: z.array(datasetColumnSchema).min(1).max(50).meta({ description: "The parts of each sample" }),
  })
  .meta({ id: "DatasetQuery" });
export type DatasetQuery = z.infer<typeof datasetQuerySchema>;

export const queriedSampleSchema = z
  .object({
    name: z.string().meta({ description: "Unique within the result", examples: ["sub-01_ses-2"] }),
    columns: z
      .record(z.string(), cwlValueSchema)
      .meta({ description: "Column to CWL value: a File, a list of Files, a text, a number or null" }),
    fields: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .optional()
      .meta({
        description:
          "What the dataset says about it: entities that its files have in common, columns of `participants.tsv` and `sessions.tsv`. Absent in old records",
        examples: [{ sub: "01", ses: "2", age: 72 }],
      }),
    bytes: z.int().min(0).optional().meta({ description: "Total size of its files" }),
    modified_at: timeSchema.optional().meta({ description: "When the newest of its files was last modified" }),
  })
  .meta({ id: "QueriedSample" });
export type QueriedSample = z.infer<typeof queriedSampleSchema>;

export const leftOutSchema = z
  .object({
    kind: z.enum(["sample", "file"]),
    name: z.string().meta({ description: "Name of the sample, or path of the file below the dataset" }),
    reason: z.string().meta({ examples: ["age is 54, not > 60"] }),
  })
  .meta({ id: "LeftOut" });
export type LeftOut = z.infer<typeof leftOutSchema>;

export const queryResultSchema = z
  .object({
    location: datasetLocationSchema,
    samples: z.array(queriedSampleSchema).meta({ description: "By name" }),
    left_out: z.array(leftOutSchema).meta({
      description: `All samples that are left out, then files that no sample uses, at most ${MAX_LISTED_FILES}`,
    }),
    samples_left_out: z.int().min(0).meta({ description: "Number of samples that are left out" }),
    files_left_out: z.int().min(0).meta({ description: "Including files that `left_out` does not list" }),
    files_used: z.int().min(0).meta({ description: "Number of files that the samples use" }),
  })
  .meta({ id: "QueryResult" });
export type QueryResult = z.infer<typeof queryResultSchema>;

export const DATASET_KINDS = ["bids", "files"] as const;

export const datasetSchema = z
  .object({
    location: datasetLocationSchema,
    name: z.string(),
    kind: z.enum(DATASET_KINDS).meta({ description: "`bids`: has a `dataset_description.json`" }),
  })
  .meta({ id: "Dataset" });
export type Dataset = z.infer<typeof datasetSchema>;

export const datasetListSchema = z
  .object({
    datasets: z.array(datasetSchema).meta({ description: "Data folders, and the BIDS datasets directly in them" }),
    truncated: z.boolean().meta({ description: "True if there are more than 10,000" }),
  })
  .meta({ id: "DatasetList" });
export type DatasetList = z.infer<typeof datasetListSchema>;

/** A field of a dataset, for tables and menus. */
export const datasetFieldSchema = z
  .object({
    name: z.string(),
    label: z.string().meta({ examples: ["Session"] }),
    source: z.enum(["name", "participants", "sessions"]).meta({ description: "Source of its values" }),
    values: z
      .array(
        z.object({
          value: z.string().meta({ description: "Value as text" }),
          count: z.int().min(0).meta({ description: "Files or rows with it" }),
        }),
      )
      .meta({ description: "The most frequent values first, at most 100; `count`: files or table rows" }),
    distinct: z.int().min(0).meta({ description: "Number of different values" }),
    min: z.number().nullable().meta({ description: "null unless all values are numbers" }),
    max: z.number().nullable(),
  })
  .meta({ id: "DatasetField" });
export type DatasetField = z.infer<typeof datasetFieldSchema>;

export const datasetDetailSchema = z
  .object({
    ...datasetSchema.shape,
    title: z.string().nullable().meta({ description: "`Name` in `dataset_description.json`" }),
    bids_version: z.string().nullable().meta({ description: "`BIDSVersion` in that file" }),
    dataset_type: z.string().nullable().meta({ description: "`raw` or `derivative`" }),
    fields: z.array(datasetFieldSchema),
    subjects: z.int().min(0).meta({ description: "Number of subjects with files" }),
    sessions: z.int().min(0).meta({ description: "Number of sessions with files, over all subjects" }),
    files: z.int().min(0).meta({ description: "Files whose names could be read" }),
    problems: z.array(leftOutSchema).meta({ description: "Files that are not part of the dataset, at most 1,000" }),
    problems_total: z.int().min(0).meta({ description: "Number of such files" }),
  })
  .meta({ id: "DatasetDetail" });
export type DatasetDetail = z.infer<typeof datasetDetailSchema>;

export const datasetFileSchema = z
  .object({ path: z.string(), fields: z.record(z.string(), z.string()) })
  .meta({ id: "DatasetFile" });
export type DatasetFile = z.infer<typeof datasetFileSchema>;

export const queryIdSchema = z
  .uuid()
  .meta({ description: "ID of a saved query", examples: ["0b7c1c52-6a5e-4f0f-9f3c-0a9b3d1f7c11"] });

export const saveQuerySchema = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    network: catalogIdSchema.meta({ description: "The network whose inputs the columns fill" }),
    query: datasetQuerySchema,
  })
  .meta({ id: "SaveDatasetQuery" });
export type SaveDatasetQuery = z.infer<typeof saveQuerySchema>;

export const savedQuerySchema = z
  .object({
    query_id: queryIdSchema,
    ...saveQuerySchema.shape,
    revision: z.int().min(1).meta({ description: "Grows by one with every change" }),
    updated_at: timeSchema,
    updated_by: z.string().meta({ description: "Principal of the last change" }),
  })
  .meta({ id: "SavedDatasetQuery" });
export type SavedDatasetQuery = z.infer<typeof savedQuerySchema>;

/** `dataset` of an automation: exactly one of `query` and `query_id`. */
export const datasetOfRequestSchema = z
  .strictObject({
    query_id: queryIdSchema.optional().meta({ description: "A saved query" }),
    query: datasetQuerySchema.optional(),
  })
  .refine(({ query_id: id, query }) => (id === undefined) !== (query === undefined), {
    message: "must have either a query or a query_id",
  })
  .meta({ id: "DatasetOfRequest" });
export type DatasetOfRequest = z.infer<typeof datasetOfRequestSchema>;

/** `dataset` of POST /api/runs: exactly one of `query`, `query_id` and `run_id`. */
export const datasetOfNewRunSchema = z
  .strictObject({
    query_id: queryIdSchema.optional().meta({ description: "A saved query" }),
    query: datasetQuerySchema.optional(),
    run_id: runIdSchema.optional().meta({
      description:
        "An earlier run with a query. Inputs and samples come from the request; if it has samples of that run, Weft records its query again",
    }),
    samples: z
      .array(z.string().min(1).max(MAX_NAME_LENGTH))
      .min(1)
      .max(MAX_SAMPLES)
      .optional()
      .meta({ description: "Only these samples of the query. Absent: all" }),
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
export const datasetOfRunSchema = z
  .object({
    query: datasetQuerySchema,
    query_id: queryIdSchema
      .nullable()
      .meta({ description: "The saved query, which may have changed since; null: none" }),
    name: z.string().nullable().meta({ description: "Name of the saved query when the run started" }),
    asked_at: timeSchema.meta({
      description: "When the query was asked: when the run started, or the run that it repeats",
    }),
    result: queryResultSchema.meta({ description: "The result of the query at that time" }),
  })
  .meta({ id: "DatasetOfRun" });
export type DatasetOfRun = z.infer<typeof datasetOfRunSchema>;

export const datasetFilePageSchema = z
  .object({
    files: z.array(datasetFileSchema),
    from: z.int().min(0),
    total: z.int().min(0).meta({ description: "Number of files that match" }),
  })
  .meta({ id: "DatasetFilePage" });
export type DatasetFilePage = z.infer<typeof datasetFilePageSchema>;

export const savedQueryListSchema = z
  .object({ queries: z.array(savedQuerySchema).meta({ description: "By network and name" }) })
  .meta({ id: "SavedDatasetQueryList" });
