import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { jobIdSchema, runIdSchema, timeSchema } from "./primitives.ts";

const seqSchema = z.int().min(1);

/** A position in the log of one run. With the times of its jobs, it shows the state of the run at that time. */
export const momentSchema = namedObject("RunMoment", {
  run_id: runIdSchema,
  seq: seqSchema.describe("Number of the event in the log of the server"),
  time: timeSchema,
  type: z.string().describe("Type of the event"),
  job_id: jobIdSchema.nullable(),
  step: z.string().nullable(),
  sample_id: z.string().nullable(),
  number: z.int().min(1).describe("Number of the event among those of the run, from 1"),
  total: z.int().min(1).describe("Events of the run so far"),
  previous_seq: seqSchema.nullable().describe("Previous event of the run; null if this is the first"),
  next_seq: seqSchema.nullable().describe("Next event of the run; null if this is the newest"),
});
export type RunMoment = z.infer<typeof momentSchema>;
