import { z } from "zod";

/** Whether and how a job without a container was sandboxed. */
export const jobSandboxSchema = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("bubblewrap"),
      version: z.string(),
      network: z.boolean().meta({ description: "Whether it could reach the network, as its tool asks for" }),
    }),
    z.object({ kind: z.literal("none"), why: z.string().meta({ description: "Why it ran without" }) }),
  ])
  .meta({ id: "JobSandbox" });
export type JobSandbox = z.infer<typeof jobSandboxSchema>;
