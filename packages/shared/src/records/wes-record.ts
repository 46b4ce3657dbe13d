import { z } from "zod";
import { runStateSchema } from "./state.ts";

const textMap = z.record(z.string(), z.string());

/** WES 1.1 counts in seconds: `2026-11-21T02:02:14Z`. */
const wesTimeSchema = z.iso.datetime({ precision: 0 }).meta({ examples: ["2026-11-21T02:02:14Z"] });

/** Fields of the form that starts a run (WES 1.1 RunRequest); JSON values are strings. Ignores others with a note. */
export const wesRunFormSchema = z
  .object({
    workflow_url: z.string().min(1).max(2048).meta({
      description:
        "ID, URL or TRS address of a document in the catalog: `imaging-cohort`, `tools:smooth`. With `--wes-documents`: also an attachment, or a document on an allowed host",
    }),
    workflow_type: z.string().meta({ description: "`CWL`" }),
    workflow_type_version: z.string().meta({ description: "`v1.0`, `v1.1` or `v1.2`" }),
    workflow_params: z.string().optional().meta({ description: "JSON: the CWL input object" }),
    tags: z.string().optional().meta({ description: "JSON: an object of strings" }),
    workflow_engine: z
      .string()
      .optional()
      .meta({ description: "`weft`; Weft notes any other name and runs the document" }),
    workflow_engine_version: z.string().optional(),
    workflow_engine_parameters: z.string().optional().meta({
      description:
        "JSON: `on_failure`, `max_parallel_jobs`, `retries`; numbers may be strings. Weft ignores others with a note",
    }),
  })
  .meta({ id: "WesRunForm" });
export type WesRunForm = z.infer<typeof wesRunFormSchema>;

/** The parts of a WES client's request that the run itself does not contain. */
export const wesRequestSchema = z
  .object({
    workflow_url: z.string().meta({ description: "As the client named the document" }),
    workflow_type_version: z.string(),
    notes: z.array(z.string()).meta({ description: "Parts of the request that Weft ignored" }),
  })
  .meta({ id: "WesRequest" });
export type WesRequest = z.infer<typeof wesRequestSchema>;

export const wesRunIdSchema = z.object({ run_id: z.string() }).meta({ id: "WesRunId" });
export const wesRunStatusSchema = z.object({ run_id: z.string(), state: runStateSchema }).meta({ id: "WesRunStatus" });

export const wesRunSummarySchema = z
  .object({
    run_id: z.string(),
    state: runStateSchema,
    start_time: wesTimeSchema.optional(),
    end_time: wesTimeSchema.optional(),
    tags: textMap,
  })
  .meta({ id: "WesRunSummary" });
export type WesRunSummary = z.infer<typeof wesRunSummarySchema>;

export const wesRunListSchema = z
  .object({ runs: z.array(wesRunSummarySchema), next_page_token: z.string() })
  .meta({ id: "WesRunListResponse" });

const logShape = {
  name: z.string(),
  cmd: z.array(z.string()),
  start_time: wesTimeSchema.optional(),
  end_time: wesTimeSchema.optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  exit_code: z.int().optional(),
  system_logs: z.array(z.string()).optional(),
} as const;

export const wesTaskLogSchema = z.object({ id: z.string(), ...logShape }).meta({ id: "WesTaskLog" });
export type WesTaskLog = z.infer<typeof wesTaskLogSchema>;

export const wesTaskListSchema = z
  .object({ task_logs: z.array(wesTaskLogSchema), next_page_token: z.string() })
  .meta({ id: "WesTaskListResponse" });

export const wesRunLogSchema = z
  .object({
    run_id: z.string(),
    state: runStateSchema,
    request: z.object({
      workflow_params: z.record(z.string(), z.unknown()),
      workflow_type: z.string(),
      workflow_type_version: z.string(),
      tags: textMap,
      workflow_engine: z.string(),
      workflow_engine_parameters: textMap,
      workflow_url: z.string(),
    }),
    run_log: z.object(logShape),
    task_logs_url: z.string(),
    outputs: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "WesRunLog" });
export type WesRunLog = z.infer<typeof wesRunLogSchema>;
