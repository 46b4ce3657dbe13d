import { z } from "zod";
import type { Immutable } from "./immutable.ts";
import { CONTAINER_PLACES } from "./container-record.ts";

/** The container that a job ran in, or the reason why it ran without the requested one. */
export const jobContainerSchema = z
  .discriminatedUnion("engine", [
    z.object({
      engine: z.enum(CONTAINER_PLACES),
      version: z.string().describe("Version of the container engine"),
      image: z.string().describe("The image as the document names it"),
      digest: z.string().nullable().describe("`sha256:…` of the image that ran; null if the engine does not report it"),
      missed: z
        .object({
          digest: z.string(),
          why: z.string().describe("The end of a sentence for users"),
        })
        .optional()
        .describe("The image of the reproduced job, if this server could not get it"),
    }),
    z.object({
      engine: z.literal("none"),
      image: z.string().describe("The image as the document names it"),
      why: z.string().describe("Why the job ran without a container"),
    }),
  ])
  .meta({ id: "JobContainer" });
export type JobContainer = Immutable<z.infer<typeof jobContainerSchema>>;
