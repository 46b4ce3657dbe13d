import { z } from "zod";
import { namedObject } from "../records/named-object.ts";
import { MEMORY_SOURCES } from "../records/job-record.ts";
import { killReportSchema } from "../records/kill-record.ts";
import { bytesSchema, durationMsSchema, jobIdSchema, timeSchema } from "../records/primitives.ts";
import { stateReasonSchema } from "../records/state.ts";
import type { Immutable } from "../records/immutable.ts";

/** `sha256:…`, which names a text that the log stores once: a document or a CWL object with portable locations. */
export const digestSchema = z.string().startsWith("sha256:").describe("SHA-256 of a text in the log");

export const hexSha256Schema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe("SHA-256, hexadecimal");

export const idempotencySchema = z
  .object({ key: z.string(), body_digest: z.string() })
  .optional()
  .describe("`Idempotency-Key` of the request");

/** Milliseconds since 1970-01-01T00:00Z by the clock of the log. */
export const epochMsSchema = z.number().describe("Milliseconds since 1970");

/** One File or Directory that a run or job read or wrote, as lineage records it. */
export const recordedFileSchema = namedObject("RecordedFile", {
  port: z.string().describe("Name of the input or output"),
  place: z
    .string()
    .optional()
    .describe("Position in the value of the port: `[2]`, `.reads[0].secondaryFiles[1]`; absent for the value itself"),
  class: z.literal("Directory").optional().describe("Absent for a File"),
  name: z.string().describe("CWL `basename`"),
  uri: z.string().describe("Portable address: `weft-data://ROOT/path`, else `file:` or `https:`"),
  source_uri: z.string().optional().describe("For an output of a run: address of the file that the job wrote"),
  checksum: z
    .string()
    .nullable()
    .describe(
      "CWL `checksum`: `sha1$` and hexadecimal digits; null for a Directory, whose files have their own records",
    ),
  sha256: hexSha256Schema.optional().describe("SHA-256 of the content; absent if Weft did not read it"),
  size: bytesSchema.nullable(),
});
export type RecordedFile = Immutable<z.infer<typeof recordedFileSchema>>;

/** Progress of a download that a run or job waits for. */
export const fetchProgressSchema = namedObject("FetchProgress", {
  url: z.string().describe("Address without passwords"),
  bytes: bytesSchema,
  bytes_total: bytesSchema.nullable().describe("Bytes; null if unknown"),
  files_done: z.int().min(0),
  files_total: z.int().min(0),
  reason: stateReasonSchema.describe("The progress in a sentence"),
});
export type FetchProgress = Immutable<z.infer<typeof fetchProgressSchema>>;

/** How Weft ended processes: a kill report with times in milliseconds since 1970. */
export const recordedKillSchema = killReportSchema
  .omit({ asked_at: true, confirmed_at: true })
  .extend({
    asked_ms: epochMsSchema.describe("When Weft first asked the processes to exit"),
    confirmed_ms: epochMsSchema.nullable().describe("When none was left; null while unproven"),
  })
  .meta({ id: "RecordedKill" });
export type RecordedKill = Immutable<z.infer<typeof recordedKillSchema>>;

/** How an attempt of a job ended and what it used. Weft did not measure a field that is null or absent. */
export const attemptEndShape = {
  exit_code: z.int().nullable().describe("null if the program has no exit code"),
  signal: z.int().nullable().describe("Number of the signal that ended the program"),
  cpu_ms: durationMsSchema.nullable().describe("User and system time, in milliseconds"),
  max_rss_bytes: bytesSchema.nullable().describe("Peak memory, in bytes"),
  memory_source: z.enum(MEMORY_SOURCES).nullable().optional().describe("How the memory was measured"),
  io_read_bytes: bytesSchema.nullable().optional(),
  io_write_bytes: bytesSchema.nullable().optional(),
  stderr_tail: z.string().optional().describe("Last lines of standard error of a failed attempt"),
  kill: recordedKillSchema.optional().describe("Present if Weft stopped the attempt"),
  ran_ms: durationMsSchema
    .optional()
    .describe(
      "How long the program ran, including the collection of its outputs, in milliseconds; present if that was so short that there is no `job.running` event",
    ),
} as const;

const headShape = {
  seq: z.int().min(1).describe("Number of the event; grows by one across the server"),
  time: timeSchema,
  actor: z.string().describe("Principal of the caller, or `engine`"),
} as const;

/** Declares events with these fields about their place: one function takes the fields of their data, one its schema. */
function eventsAt<Place extends z.ZodRawShape>(place: Place) {
  const withSchema = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
    namedObject(eventName(type), { ...headShape, type: z.literal(type), ...place, data });
  const withFields = <Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
    withSchema(type, z.object(fields));
  return { withFields, withSchema };
}

/** An event that is about one run. */
export const { withFields: runEvent, withSchema: runEventOf } = eventsAt({ run_id: z.string() });

/** An event that is about one job of a run. */
export const { withFields: jobEvent, withSchema: jobEventOf } = eventsAt({
  run_id: z.string(),
  job_id: jobIdSchema,
  step: z.string().optional().describe("Path of the step: `outer/inner`; empty for a single tool"),
  sample_id: z.string().optional(),
});

/** An event that does not belong to a run. */
export const { withFields: serverEvent } = eventsAt({ run_id: z.null() });

/** `run.created` → `RunCreatedEvent`. */
function eventName(type: string): string {
  return `${type.replaceAll(/(?:^|[.-])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

/** The server's work for an absent user ends with their token; a new token of the same name is a different one. */
export const credentialSchema = z
  .string()
  .optional()
  .describe("ID of the token with which it was made; absent: it was made without a named token");
