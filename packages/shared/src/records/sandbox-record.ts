import { z } from "zod";

/** Whether and how a job without a container was sandboxed. */
export const jobSandboxSchema = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("bubblewrap"),
      version: z.string(),
      network: z.boolean().meta({ description: "Whether the job had network access, as its tool requests" }),
    }),
    z.object({ kind: z.literal("none"), why: z.string().meta({ description: "Why there was none" }) }),
  ])
  .meta({ id: "JobSandbox" });
export type JobSandbox = z.infer<typeof jobSandboxSchema>;
