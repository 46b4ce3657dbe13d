import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { cwlTypeSchema } from "./cwl-type.ts";
import {
  bytesSchema,
  catalogIdSchema,
  cwlObjectSchema,
  durationMsSchema,
  pageShape,
  timeSchema,
  versionSchema,
} from "./primitives.ts";

const optionalText = z.string().optional();

/** A problem in a document of the catalog, at file, line and column. */
export const validationIssueSchema = namedObject("ValidationIssue", {
  severity: z.enum(["error", "warning"]),
  code: z.string(),
  message: z.string(),
  file: z.string().describe("Path below the catalog folder"),
  line: z.int().min(1),
  column: z.int().min(1),
  hint: optionalText,
});
export type ValidationIssue = z.infer<typeof validationIssueSchema>;

export const validationSchema = namedObject("Validation", {
  status: z.enum(["valid", "warnings", "invalid"]),
  issues: z.array(validationIssueSchema),
});

export const inputRecordSchema = namedObject("InputParameter", {
  id: z.string(),
  label: optionalText,
  doc: optionalText,
  type: cwlTypeSchema,
  type_text: z.string().meta({ examples: ["File[]"] }),
  required: z.boolean(),
  default: z.unknown().optional().describe("Default value; absent if there is none"),
  format: z.array(z.string()).optional(),
  secondary_files: z.array(z.object({ pattern: z.string(), required: z.boolean() })).optional(),
  secret: z
    .literal(true)
    .optional()
    .describe("The input is a secret: Weft records a placeholder instead of its strings"),
});
export type InputRecord = z.infer<typeof inputRecordSchema>;

export const outputRecordSchema = namedObject("OutputParameter", {
  id: z.string(),
  label: optionalText,
  doc: optionalText,
  type: cwlTypeSchema,
  type_text: z.string(),
  format: z.array(z.string()).optional(),
});
export type OutputRecord = z.infer<typeof outputRecordSchema>;

export const exampleSchema = namedObject("Example", {
  name: z.string(),
  inputs: cwlObjectSchema.describe("Ready to POST as `inputs`"),
});

export const processStatsSchema = namedObject("ProcessStats", {
  runs: z.int().min(0),
  last_run_at: timeSchema.nullable(),
  median_duration_ms: durationMsSchema.nullable(),
});

export const versionRecordSchema = namedObject("Version", {
  version: versionSchema,
  url: z.string(),
  deprecated: z.boolean(),
  digest: z.string(),
  pinned: z.boolean().describe("True if the version cannot change: its files have the recorded checksums"),
  imported: z
    .object({
      from: z.string().describe("TRS address"),
      digest: z.string().describe("`sha256:` over the names and checksums of all files"),
    })
    .optional()
    .describe("For a version from another registry"),
});
export type VersionRecord = z.infer<typeof versionRecordSchema>;

export const PROCESS_CLASSES = ["CommandLineTool", "ExpressionTool", "Workflow", "Operation"] as const;

const summaryShape = {
  id: catalogIdSchema,
  version: versionSchema.nullable().describe("null for an unversioned network, which requests may call `unversioned`"),
  versions: z.array(versionRecordSchema).describe("Newest first"),
  url: z.string(),
  digest: z
    .string()
    .meta({ description: "`sha256:` over the packed canonical document", examples: ["sha256:9f86d081884c7d65…"] }),
  class: z.enum(PROCESS_CLASSES).nullable().describe("null if the document is too broken to tell"),
  label: optionalText,
  doc: optionalText,
  validation_status: z.enum(["valid", "warnings", "invalid"]),
  stats: processStatsSchema,
} as const;

/** The location of a step's process: in the catalog, or inline in the network's document. */
export const stepRunSchema = namedObject("StepRun", {
  kind: z.enum(["tool", "network", "inline"]),
  class: z.enum(PROCESS_CLASSES),
  label: optionalText,
  id: z.string().optional(),
  version: z.string().optional(),
  url: z.string().optional(),
});

const stepInputSchema = z.object({
  id: z.string(),
  source: z.array(z.string()),
  default: z.unknown().optional(),
  value_from: optionalText,
});

/** A step that runs repeatedly (`cwltool:Loop`, or `loop` of CWL v1.3). */
export const stepLoopSchema = namedObject("StepLoop", {
  when: z.string().describe("Evaluated before each iteration; false ends the loop"),
  inputs: z
    .array(stepInputSchema)
    .describe("Inputs that the second and later iterations take from outputs of the step itself"),
  output_method: z.enum(["last", "all"]).describe("Outputs of the step: the last iteration's, or all"),
});

export const stepRecordSchema = namedObject("Step", {
  id: z.string(),
  label: optionalText,
  doc: optionalText,
  run: stepRunSchema,
  scatter: z.array(z.string()),
  scatter_method: optionalText,
  when: optionalText,
  loop: stepLoopSchema.optional(),
  in: z.array(stepInputSchema),
  out: z.array(z.string()),
});
export type StepRecord = z.infer<typeof stepRecordSchema>;

const graphNodeSchema = z.object({
  id: z.string(),
  kind: z.enum(["input", "step", "output"]),
  label: z.string(),
  /** The path of a step, which jobs carry as `step`. */
  step: z.string().optional(),
  class: z.enum(PROCESS_CLASSES).optional(),
  process_label: z.string().optional().describe("For steps: the label of the process that the step runs"),
  scatter: z.boolean().optional(),
  conditional: z.boolean().optional(),
  loop: z.boolean().optional(),
  type_text: z.string().optional(),
  get graph(): z.ZodOptional<z.ZodType<GraphRecord>> {
    return graphSchema.optional();
  },
});
export type GraphNodeRecord = z.infer<typeof graphNodeSchema>;

const graphEdgeSchema = z.object({
  from: z.string(),
  to: z.string(),
  from_port: z.string(),
  to_port: z.string(),
  type_text: z.string().optional(),
});
export type GraphEdgeRecord = z.infer<typeof graphEdgeSchema>;

/** A drawing without a layout: nested networks are nodes with a graph of their own. */
export interface GraphRecord {
  nodes: GraphNodeRecord[];
  edges: GraphEdgeRecord[];
}
export const graphSchema: z.ZodType<GraphRecord> = namedObject("Graph", {
  nodes: z.array(graphNodeSchema),
  edges: z.array(graphEdgeSchema),
});

const detailShape = {
  ...summaryShape,
  cwl_version: z.string().nullable(),
  examples: z.array(exampleSchema),
  inputs: z.array(inputRecordSchema),
  outputs: z.array(outputRecordSchema),
  validation: validationSchema,
  source: z
    .array(z.object({ file: z.string(), text: z.string() }))
    .describe("The document and its imports, as on disk"),
  links: z.record(z.string(), z.string()),
} as const;

export const networkSummarySchema = namedObject("NetworkSummary", {
  ...summaryShape,
  step_count: z.int().min(0),
  required_inputs: z.int().min(0),
});
export type NetworkSummary = z.infer<typeof networkSummarySchema>;

export const networkSchema = namedObject("Network", {
  ...detailShape,
  steps: z.array(stepRecordSchema),
  graph: graphSchema,
});
export type Network = z.infer<typeof networkSchema>;

export const toolSummarySchema = namedObject("ToolSummary", {
  ...summaryShape,
  container: optionalText,
  used_by_count: z.int().min(0),
});
export type ToolSummary = z.infer<typeof toolSummarySchema>;

export const toolSchema = namedObject("Tool", {
  ...detailShape,
  command: z
    .object({ base_command: z.array(z.string()), arguments: z.array(z.string()), template_text: z.string() })
    .nullable()
    .describe("null for an ExpressionTool"),
  container: z.object({ image: z.string() }).nullable(),
  software: z.array(z.object({ package: z.string(), version: z.array(z.string()), specs: z.array(z.string()) })),
  resources: z
    .record(z.string(), z.union([z.number(), z.string()]))
    .describe("ResourceRequirement as written: cores, MiB"),
  environment: z.record(z.string(), z.string()),
  used_by: z.array(
    z.object({
      network: z.string(),
      version: z.string().nullable(),
      step: z.string(),
      tool_version: z.string(),
      url: z.string(),
    }),
  ),
});
export type Tool = z.infer<typeof toolSchema>;

export const networkListSchema = namedObject("NetworkList", {
  networks: z.array(z.union([networkSummarySchema, z.string()])),
  ...pageShape,
});
export const toolListSchema = namedObject("ToolList", {
  tools: z.array(z.union([toolSummarySchema, z.string()])),
  ...pageShape,
});

/** One entry of a browsable folder: a data folder, or a file that the user uploaded. */
export const fileEntrySchema = namedObject("FileEntry", {
  name: z.string(),
  kind: z.enum(["file", "folder"]),
  size: bytesSchema.nullable(),
  modified_at: timeSchema.nullable(),
  location: z.string().meta({
    description: "Use as `location` of a File or Directory input",
    examples: ["weft-data://cohort/sub-01.nii"],
  }),
});
export type FileEntry = z.infer<typeof fileEntrySchema>;

export const uploadedFileSchema = namedObject("UploadedFile", {
  location: z.string(),
  name: z.string(),
  size: bytesSchema,
  checksum: z.string().describe("`sha1$…`"),
  sha256: z.string(),
});
export type UploadedFile = z.infer<typeof uploadedFileSchema>;
