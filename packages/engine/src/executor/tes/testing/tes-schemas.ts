import { z } from "zod";

/**
 * The part of TES 1.1's OpenAPI document that Weft and its test server use. Rejects all other names, which is stricter
 * than the document, so that a misspelled field is found.
 */
const path = z.string().startsWith("/");
const fileType = z.enum(["FILE", "DIRECTORY"]);

const input = z
  .strictObject({
    url: z.string().optional(),
    path,
    type: fileType.optional(),
    content: z.string().optional(),
  })
  .refine(({ url, content }) => url !== undefined || content !== undefined, "url is required unless content is set");

const output = z.strictObject({ url: z.string(), path, type: fileType.optional() });

const executor = z.strictObject({
  image: z.string().min(1),
  command: z.array(z.string()).min(1),
  workdir: path.optional(),
  stdin: path.optional(),
  stdout: path.optional(),
  stderr: path.optional(),
  env: z.record(z.string(), z.string()).optional(),
  ignore_error: z.boolean().optional(),
});

const resources = z.strictObject({
  cpu_cores: z.int32().optional(),
  ram_gb: z.number().optional(),
  disk_gb: z.number().optional(),
});

export const newTaskSchema = z.strictObject({
  name: z.string().optional(),
  inputs: z.array(input).optional(),
  outputs: z.array(output).optional(),
  resources: resources.optional(),
  executors: z.array(executor).min(1),
  volumes: z.array(path).optional(),
  tags: z.record(z.string(), z.string()).optional(),
});
export type NewTask = z.infer<typeof newTaskSchema>;

const ACTIVE = ["QUEUED", "INITIALIZING", "RUNNING", "PAUSED", "CANCELING"];
const ENDED = ["COMPLETE", "EXECUTOR_ERROR", "SYSTEM_ERROR", "CANCELED", "PREEMPTED"];
export const stateSchema = z.enum(["UNKNOWN", ...ACTIVE, ...ENDED]);

const executorLog = z.strictObject({
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  exit_code: z.int32(),
});

const taskLog = z.strictObject({
  logs: z.array(executorLog),
  outputs: z.array(z.strictObject({ url: z.string(), path: z.string(), size_bytes: z.string() })),
  system_logs: z.array(z.string()).optional(),
});
export type TaskLogJson = z.infer<typeof taskLog>;

const kept = { id: z.string().optional(), state: stateSchema.optional() };
export const taskSchema = z.union([
  z.strictObject(kept),
  newTaskSchema.extend({ ...kept, logs: z.array(taskLog).optional() }),
]);

export const pageSchema = z.strictObject({ tasks: z.array(taskSchema), next_page_token: z.string().optional() });
export const createdSchema = z.strictObject({ id: z.string() });
export const canceledSchema = z.strictObject({});

export const viewSchema = z.enum(["MINIMAL", "BASIC", "FULL"]);
export const listQuerySchema = z.strictObject({
  name_prefix: z.string().optional(),
  state: stateSchema.optional(),
  tag_key: z.string().optional(),
  tag_value: z.string().optional(),
  page_size: z.coerce.number().int().min(1).max(2047).optional(),
  page_token: z.string().optional(),
  view: viewSchema.optional(),
});
