import { z } from "zod";
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
export const validationIssueSchema = z
  .object({
    severity: z.enum(["error", "warning"]),
    code: z.string(),
    message: z.string(),
    file: z.string().meta({ description: "Path below the catalog folder" }),
    line: z.int().min(1),
    column: z.int().min(1),
    hint: optionalText,
  })
  .meta({ id: "ValidationIssue" });
export type ValidationIssue = z.infer<typeof validationIssueSchema>;

export const validationSchema = z
  .object({ status: z.enum(["valid", "warnings", "invalid"]), issues: z.array(validationIssueSchema) })
  .meta({ id: "Validation" });

export const inputRecordSchema = z
  .object({
    id: z.string(),
    label: optionalText,
    doc: optionalText,
    type: cwlTypeSchema,
    type_text: z.string().meta({ examples: ["File[]"] }),
    required: z.boolean(),
    default: z.unknown().optional().meta({ description: "Default value; absent if there is none" }),
    format: z.array(z.string()).optional(),
    secondary_files: z.array(z.object({ pattern: z.string(), required: z.boolean() })).optional(),
    secret: z
      .literal(true)
      .optional()
      .meta({ description: "The input is a secret: Weft records a placeholder instead of its strings" }),
  })
  .meta({ id: "InputParameter" });
export type InputRecord = z.infer<typeof inputRecordSchema>;

export const outputRecordSchema = z
  .object({
    id: z.string(),
    label: optionalText,
    doc: optionalText,
    type: cwlTypeSchema,
    type_text: z.string(),
    format: z.array(z.string()).optional(),
  })
  .meta({ id: "OutputParameter" });
export type OutputRecord = z.infer<typeof outputRecordSchema>;

export const exampleSchema = z
  .object({ name: z.string(), inputs: cwlObjectSchema.meta({ description: "Ready to POST as `inputs`" }) })
  .meta({ id: "Example" });

export const processStatsSchema = z
  .object({ runs: z.int().min(0), last_run_at: timeSchema.nullable(), median_duration_ms: durationMsSchema.nullable() })
  .meta({ id: "ProcessStats" });

export const versionRecordSchema = z
  .object({
    version: versionSchema,
    url: z.string(),
    deprecated: z.boolean(),
    digest: z.string(),
    pinned: z
      .boolean()
      .meta({ description: "True if the version cannot change: its files have the recorded checksums" }),
    imported: z
      .object({
        from: z.string().meta({ description: "TRS address" }),
        digest: z.string().meta({ description: "`sha256:` over the names and checksums of all files" }),
      })
      .optional()
      .meta({ description: "For a version from another registry" }),
  })
  .meta({ id: "Version" });
export type VersionRecord = z.infer<typeof versionRecordSchema>;

export const PROCESS_CLASSES = ["CommandLineTool", "ExpressionTool", "Workflow", "Operation"] as const;

const summaryShape = {
  id: catalogIdSchema,
  version: versionSchema
    .nullable()
    .meta({ description: "null for an unversioned network, which requests may call `unversioned`" }),
  versions: z.array(versionRecordSchema).meta({ description: "Newest first" }),
  url: z.string(),
  digest: z
    .string()
    .meta({ description: "`sha256:` over the packed canonical document", examples: ["sha256:9f86d081884c7d65…"] }),
  class: z.enum(PROCESS_CLASSES).nullable().meta({ description: "null if the document is too broken to tell" }),
  label: optionalText,
  doc: optionalText,
  validation_status: z.enum(["valid", "warnings", "invalid"]),
  stats: processStatsSchema,
} as const;

/** The location of a step's process: in the catalog, or inline in the network's document. */
export const stepRunSchema = z
  .object({
    kind: z.enum(["tool", "network", "inline"]),
    class: z.enum(PROCESS_CLASSES),
    label: optionalText,
    id: z.string().optional(),
    version: z.string().optional(),
    url: z.string().optional(),
  })
  .meta({ id: "StepRun" });

/** A step that runs repeatedly (`cwltool:Loop`, or `loop` of CWL v1.3). */
export const stepLoopSchema = z
  .object({
    when: z.string().meta({ description: "Evaluated before each iteration; false ends the loop" }),
    inputs: z
      .array(
        z.object({
          id: z.string(),
          source: z.array(z.string()),
          default: z.unknown().optional(),
          value_from: optionalText,
        }),
      )
      .meta({ description: "Inputs that the second and later iterations take from outputs of the step itself" }),
    output_method: z.enum(["last", "all"]).meta({ description: "Outputs of the step: the last iteration's, or all" }),
  })
  .meta({ id: "StepLoop" });

export const stepRecordSchema = z
  .object({
    id: z.string(),
    label: optionalText,
    doc: optionalText,
    run: stepRunSchema,
    scatter: z.array(z.string()),
    scatter_method: optionalText,
    when: optionalText,
    loop: stepLoopSchema.optional(),
    in: z.array(
      z.object({
        id: z.string(),
        source: z.array(z.string()),
        default: z.unknown().optional(),
        value_from: optionalText,
      }),
    ),
    out: z.array(z.string()),
  })
  .meta({ id: "Step" });
export type StepRecord = z.infer<typeof stepRecordSchema>;

/** A drawing without a layout: nested networks are nodes with a graph of their own. */
export interface GraphRecord {
  nodes: GraphNodeRecord[];
  edges: GraphEdgeRecord[];
}
export interface GraphNodeRecord {
  id: string;
  kind: "input" | "step" | "output";
  label: string;
  /** The path of a step, which jobs carry as `step`. */
  step?: string | undefined;
  class?: (typeof PROCESS_CLASSES)[number] | undefined;
  /** The label of the process that a step runs. */
  process_label?: string | undefined;
  scatter?: boolean | undefined;
  conditional?: boolean | undefined;
  loop?: boolean | undefined;
  type_text?: string | undefined;
  graph?: GraphRecord | undefined;
}
export interface GraphEdgeRecord {
  from: string;
  to: string;
  from_port: string;
  to_port: string;
  type_text?: string | undefined;
}
export const graphSchema: z.ZodType<GraphRecord> = z
  .lazy(() =>
    z.object({
      nodes: z.array(
        z.object({
          id: z.string(),
          kind: z.enum(["input", "step", "output"]),
          label: z.string(),
          step: z.string().optional(),
          class: z.enum(PROCESS_CLASSES).optional(),
          process_label: z
            .string()
            .optional()
            .meta({ description: "For steps: the label of the process that the step runs" }),
          scatter: z.boolean().optional(),
          conditional: z.boolean().optional(),
          loop: z.boolean().optional(),
          type_text: z.string().optional(),
          graph: graphSchema.optional(),
        }),
      ),
      edges: z.array(
        z.object({
          from: z.string(),
          to: z.string(),
          from_port: z.string(),
          to_port: z.string(),
          type_text: z.string().optional(),
        }),
      ),
    }),
  )
  .meta({ id: "Graph" });

const detailShape = {
  ...summaryShape,
  cwl_version: z.string().nullable(),
  examples: z.array(exampleSchema),
  inputs: z.array(inputRecordSchema),
  outputs: z.array(outputRecordSchema),
  validation: validationSchema,
  source: z
    .array(z.object({ file: z.string(), text: z.string() }))
    .meta({ description: "The document and its imports, as on disk" }),
  links: z.record(z.string(), z.string()),
} as const;

export const networkSummarySchema = z
  .object({ ...summaryShape, step_count: z.int().min(0), required_inputs: z.int().min(0) })
  .meta({ id: "NetworkSummary" });
export type NetworkSummary = z.infer<typeof networkSummarySchema>;

export const networkSchema = z
  .object({ ...detailShape, steps: z.array(stepRecordSchema), graph: graphSchema })
  .meta({ id: "Network" });
export type Network = z.infer<typeof networkSchema>;

export const toolSummarySchema = z
  .object({ ...summaryShape, container: optionalText, used_by_count: z.int().min(0) })
  .meta({ id: "ToolSummary" });
export type ToolSummary = z.infer<typeof toolSummarySchema>;

export const toolSchema = z
  .object({
    ...detailShape,
    command: z
      .object({ base_command: z.array(z.string()), arguments: z.array(z.string()), template_text: z.string() })
      .nullable()
      .meta({ description: "null for an ExpressionTool" }),
    container: z.object({ image: z.string() }).nullable(),
    software: z.array(z.object({ package: z.string(), version: z.array(z.string()), specs: z.array(z.string()) })),
    resources: z
      .record(z.string(), z.union([z.number(), z.string()]))
      .meta({ description: "ResourceRequirement as written: cores, MiB" }),
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
  })
  .meta({ id: "Tool" });
export type Tool = z.infer<typeof toolSchema>;

export const networkListSchema = z
  .object({ networks: z.array(z.union([networkSummarySchema, z.string()])), ...pageShape })
  .meta({ id: "NetworkList" });
export const toolListSchema = z
  .object({ tools: z.array(z.union([toolSummarySchema, z.string()])), ...pageShape })
  .meta({ id: "ToolList" });

/** One entry of a browsable folder: a data folder, or a file that the user uploaded. */
export const fileEntrySchema = z
  .object({
    name: z.string(),
    kind: z.enum(["file", "folder"]),
    size: bytesSchema.nullable(),
    modified_at: timeSchema.nullable(),
    location: z.string().meta({
      description: "Use as `location` of a File or Directory input",
      examples: ["weft-data://cohort/sub-01.nii"],
    }),
  })
  .meta({ id: "FileEntry" });
export type FileEntry = z.infer<typeof fileEntrySchema>;

export const uploadedFileSchema = z
  .object({
    location: z.string(),
    name: z.string(),
    size: bytesSchema,
    checksum: z.string().meta({ description: "`sha1$…`" }),
    sha256: z.string(),
  })
  .meta({ id: "UploadedFile" });
export type UploadedFile = z.infer<typeof uploadedFileSchema>;
