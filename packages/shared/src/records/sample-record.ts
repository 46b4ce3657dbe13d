import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { pageShape, runIdSchema } from "./primitives.ts";
import { NO_JOB_LETTER, SAMPLE_STATE_LETTERS } from "./sample-letters.ts";

const LETTERS_TEXT = Object.entries(SAMPLE_STATE_LETTERS)
  .map(([state, letter]) => `\`${letter}\` ${state}`)
  .join(", ");

export const sampleRowSchema = namedObject("SampleRow", {
  sample_id: z.string(),
  index: z
    .int()
    .min(0)
    .nullable()
    .describe("Position of the sample in the list that is scattered first; null if in no list"),
  states: z
    .string()
    .describe(
      `One letter per step, in the order of \`steps\`: ${LETTERS_TEXT}, \`${NO_JOB_LETTER}\` no job. If a sample has several jobs in one step, the most important state: failed before canceled, running and waiting`,
    ),
});
export type SampleRow = z.infer<typeof sampleRowSchema>;

export const sampleListSchema = namedObject("SampleList", {
  run_id: runIdSchema,
  steps: z.array(z.string()).describe("Paths of the steps, in the order of the document"),
  samples: z.array(sampleRowSchema).describe("By name"),
  ...pageShape,
});
export type SampleList = z.infer<typeof sampleListSchema>;
