import { z } from "zod";

/** The sandbox of a job without a container, or the reason why there was none. */
export const jobSandboxSchema = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("bubblewrap"),
      version: z.string(),
      network: z.boolean().describe("Whether the job had network access, as its tool requests"),
    }),
    z.object({ kind: z.literal("none"), why: z.string().describe("Why there was none") }),
  ])
  .meta({ id: "JobSandbox" });
export type JobSandbox = z.infer<typeof jobSandboxSchema>;
