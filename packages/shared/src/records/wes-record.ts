import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { runStateSchema } from "./state.ts";

const textMap = z.record(z.string(), z.string());

/** WES 1.1 counts in seconds: `2026-11-21T02:02:14Z`. */
const wesTimeSchema = z.iso.datetime({ precision: 0 }).meta({ examples: ["2026-11-21T02:02:14Z"] });

/** Fields of the form that starts a run (WES 1.1 RunRequest); JSON values are strings. Ignores others with a note. */
export const wesRunFormSchema = namedObject("WesRunForm", {
  workflow_url: z
    .string()
    .min(1)
    .max(2048)
    .describe(
      "ID, URL or TRS address of a document in the catalog: `imaging-cohort`, `tools:smooth`. With `--wes-documents`: also an attachment, or a document on an allowed host",
    ),
  workflow_type: z.string().describe("`CWL`"),
  workflow_type_version: z.string().describe("`v1.0`, `v1.1` or `v1.2`"),
  workflow_params: z.string().optional().describe("JSON: the CWL input object"),
  tags: z.string().optional().describe("JSON: an object of strings"),
  workflow_engine: z.string().optional().describe("`weft`; Weft notes any other name and runs the document"),
  workflow_engine_version: z.string().optional(),
  workflow_engine_parameters: z
    .string()
    .optional()
    .describe(
      "JSON: `on_failure`, `max_parallel_jobs`, `retries`; numbers may be strings. Weft ignores others with a note",
    ),
});
export type WesRunForm = z.infer<typeof wesRunFormSchema>;

/** The parts of a WES client's request that the run itself does not contain. */
export const wesRequestSchema = namedObject("WesRequest", {
  workflow_url: z.string().describe("As the client named the document"),
  workflow_type_version: z.string(),
  notes: z.array(z.string()).describe("Parts of the request that Weft ignored"),
});
export type WesRequest = z.infer<typeof wesRequestSchema>;

export const wesRunIdSchema = namedObject("WesRunId", { run_id: z.string() });
export const wesRunStatusSchema = namedObject("WesRunStatus", { run_id: z.string(), state: runStateSchema });

export const wesRunSummarySchema = namedObject("WesRunSummary", {
  run_id: z.string(),
  state: runStateSchema,
  start_time: wesTimeSchema.optional(),
  end_time: wesTimeSchema.optional(),
  tags: textMap,
});
export type WesRunSummary = z.infer<typeof wesRunSummarySchema>;

export const wesRunListSchema = namedObject("WesRunListResponse", {
  runs: z.array(wesRunSummarySchema),
  next_page_token: z.string(),
});

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

export const wesTaskLogSchema = namedObject("WesTaskLog", { id: z.string(), ...logShape });
export type WesTaskLog = z.infer<typeof wesTaskLogSchema>;

export const wesTaskListSchema = namedObject("WesTaskListResponse", {
  task_logs: z.array(wesTaskLogSchema),
  next_page_token: z.string(),
});

export const wesRunLogSchema = namedObject("WesRunLog", {
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
});
export type WesRunLog = z.infer<typeof wesRunLogSchema>;
