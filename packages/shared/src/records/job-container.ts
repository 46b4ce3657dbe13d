import { z } from "zod";
import type { Immutable } from "./immutable.ts";
import { CONTAINER_PLACES } from "./container-record.ts";

/** The container that a job ran in, or the reason why it ran without the requested one. */
export const jobContainerSchema = z
  .discriminatedUnion("engine", [
    z.object({
      engine: z.enum(CONTAINER_PLACES),
      version: z.string().meta({ description: "Version of the container engine" }),
      image: z.string().meta({ description: "The image as the document names it" }),
      digest: z
        .string()
        .nullable()
        .meta({ description: "`sha256:…` of the image that ran; null if the engine does not report it" }),
      missed: z
        .object({
          digest: z.string(),
          why: z.string().meta({ description: "The end of a sentence for users" }),
        })
        .optional()
        .meta({ description: "The image of the reproduced job, if this server could not get it" }),
    }),
    z.object({
      engine: z.literal("none"),
      image: z.string().meta({ description: "The image as the document names it" }),
      why: z.string().meta({ description: "Why the job ran without a container" }),
    }),
  ])
  .meta({ id: "JobContainer" });
export type JobContainer = Immutable<z.infer<typeof jobContainerSchema>>;
