import { z } from "zod";
import { hexSha256Schema } from "./event-parts.ts";
import * as jobEvents from "./job-events.ts";
import * as runEvents from "./run-events.ts";
import { timeSchema } from "../records/primitives.ts";

const MAX_TEXT_LENGTH = 10_000;
const textSchema = z.string().max(MAX_TEXT_LENGTH);

/** One line of `weft/events.jsonl` in a crate: an event as its server has chained it. */
export const crateLineSchema = z.object({
  seq: z.int().min(1),
  type: z.string(),
  time: timeSchema,
  run_id: z.string().nullable(),
  job_id: z.string().nullable(),
  step: z.string().nullable(),
  sample_id: z.string().nullable(),
  actor: textSchema,
  data: z.record(z.string(), z.unknown()),
  previous: hexSha256Schema,
  hash: hexSha256Schema,
});
export type CrateLine = z.infer<typeof crateLineSchema>;

/** One line of `weft/documents.jsonl`: the text of a document and its digest. */
export const crateDocumentSchema = z.object({ digest: z.string(), text: z.string() });

/** The fields that Weft reads from an entity in `ro-crate-metadata.json`. */
export const crateEntitySchema = z.object({
  "@id": z.string(),
  "@type": z.union([z.string(), z.array(z.string())]),
  name: z.string().optional(),
  sha256: z.string().optional(),
});

/** The fields of an event's file that Weft compares with the file in the crate. */
export const crateFileSchema = z.object({ name: z.string(), uri: z.string(), sha256: z.string().optional() });

/** One line of `weft/files.jsonl`: a file of the crate, and the URI that events use for it. */
export const crateAddressSchema = z.object({ name: textSchema, uri: textSchema });

const ofRun = <Type extends string, Data extends z.ZodType>(event: Declared<Type>, data: Data) =>
  z.object({ type: event.shape.type, data });
const ofJob = <Type extends string, Data extends z.ZodType>(event: Declared<Type>, data: Data) =>
  z.object({
    type: event.shape.type,
    job_id: jobEvents.jobQueued.shape.job_id,
    step: textSchema.nullable(),
    sample_id: textSchema.nullable(),
    data,
  });

interface Declared<Type extends string> {
  readonly shape: { readonly type: z.ZodLiteral<Type> };
}

const { runCreated, runStarted, runSteps, runInputs, runOutputs, runCanceling, runEnded, runCompared } = runEvents;
const { jobQueued, jobStarted, jobRunning, jobExited, jobRetrying, jobEnded } = jobEvents;

/**
 * The part of a crate's events that another server imports: the facts about the run. It leaves out events and fields
 * that matter only to the server that ran it (keys of its cache, its disk, how it ended processes).
 */
export const crateEventSchema = z
  .discriminatedUnion("type", [
    ofRun(
      runCreated,
      runCreated.shape.data.omit({
        sinks: true,
        uses: true,
        idempotency: true,
        retry_of: true,
        wes: true,
        test: true,
        automation: true,
      }),
    ),
    ofRun(runStarted, runStarted.shape.data),
    ofRun(runSteps, runSteps.shape.data),
    ofRun(runInputs, runInputs.shape.data),
    ofRun(runOutputs, runOutputs.shape.data),
    ofRun(runCanceling, runCanceling.shape.data),
    ofRun(runEnded, runEnded.shape.data.omit({ kill: true, placed: true })),
    ofRun(runCompared, runCompared.shape.data),
    ofJob(jobQueued, jobQueued.shape.data),
    ofJob(
      jobStarted,
      jobStarted.shape.data.extend({
        cache: jobEvents.recordedCacheSchema.omit({ key: true, parts: true }).optional(),
      }),
    ),
    ofJob(jobRunning, jobRunning.shape.data),
    ofJob(jobExited, jobExited.shape.data),
    ofJob(jobRetrying, jobRetrying.shape.data.omit({ kill: true })),
    ofJob(jobEnded, jobEnded.shape.data.omit({ reusable: true, kill: true })),
  ])
  .superRefine(refuseExcess);
export type CrateEvent = z.infer<typeof crateEventSchema>;
export const CRATE_EVENT_TYPES: ReadonlySet<string> = new Set(
  crateEventSchema.options.map((option) => option.shape.type.value),
);

/** Fields that may hold long texts, which a tool wrote or a document contains. */
const LONG_TEXTS: ReadonlySet<string> = new Set([
  "command",
  "hint",
  "message",
  "samples",
  "stderr_tail",
  "tool",
  "verdict",
]);
const YEARS_MS = 100 * 366 * 24 * 3600 * 1000;
/** The largest values. Times are calculated from durations, and must remain valid times. */
const LARGEST: ReadonlyMap<PropertyKey, number> = new Map([
  ["attempt", 1000],
  ["delay_ms", YEARS_MS],
  ["late_ms", YEARS_MS],
  ["ran_ms", YEARS_MS],
]);
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const PATTERNS: ReadonlyMap<PropertyKey, RegExp> = new Map([
  ["checksum", /^sha1\$[0-9a-f]{40}$/],
  ["document", DIGEST],
  ["inputs", DIGEST],
  ["outputs", DIGEST],
]);

/** Anyone may have written a crate: bounds values that Weft keeps small, and checks values that Weft computes. */
function refuseExcess({ data }: { readonly data: object }, context: z.RefinementCtx): void {
  for (const { path, value } of leaves(data, ["data"])) {
    const message = typeof value === "string" ? textProblem(path, value) : numberProblem(path, value);
    if (message !== undefined) context.addIssue({ code: "custom", path: [...path], message });
  }
}

function textProblem(path: readonly PropertyKey[], text: string): string | undefined {
  if (text.length > MAX_TEXT_LENGTH) return `must have at most ${MAX_TEXT_LENGTH} characters`;
  const pattern = PATTERNS.get(path.at(-1) ?? "");
  return pattern === undefined || pattern.test(text) ? undefined : `must match ${pattern.source}`;
}

function numberProblem(path: readonly PropertyKey[], value: unknown): string | undefined {
  const largest = LARGEST.get(path.at(-1) ?? "");
  return largest !== undefined && Number(value) > largest ? `must be at most ${largest}` : undefined;
}

interface Leaf {
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
}

function* leaves(value: unknown, path: readonly PropertyKey[]): Generator<Leaf> {
  if (typeof value !== "object" || value === null) yield { path, value };
  else for (const [key, inner] of Object.entries(value)) if (!LONG_TEXTS.has(key)) yield* leaves(inner, [...path, key]);
}
