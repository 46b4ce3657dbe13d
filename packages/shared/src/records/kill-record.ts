import { z } from "zod";
import { timeSchema } from "./primitives.ts";

/** What can show that nothing of a job is left. */
export const KILL_EVIDENCE = ["scans", "cgroup", "groups", "containers", "slurm", "tes"] as const;
export type KillEvidence = (typeof KILL_EVIDENCE)[number];

/** How the processes of a job were ended by Weft, and how it is known that none is left. */
export const killReportSchema = z
  .object({
    asked_at: timeSchema.meta({ description: "When the job's processes were first told to end" }),
    signals: z
      .array(z.enum(["SIGTERM", "SIGKILL"]))
      .meta({ description: "Sent, in order; empty where nothing was left" }),
    processes_found: z.int().min(0).meta({ description: "Processes and containers of the job that were found" }),
    processes_killed: z.int().min(0).meta({ description: "How many of them did not exit within the grace period" }),
    confirmed_at: timeSchema.nullable().meta({ description: "When nothing was left; null while that is not proven" }),
    evidence: z.array(z.enum(KILL_EVIDENCE)).meta({
      description:
        "`scans`: three looks in a row at all processes found none with the job's marks; `cgroup`: the kernel says that the job's control group is empty; `groups`: its process group is gone (systems without /proc); `containers`: the container engine lists none; `slurm`: three looks in a row at its queue found no task of the job; `tes`: the TES server says that the job's task has ended, or in three looks in a row that it has none",
    }),
  })
  .meta({ id: "KillReport" });
export type KillReport = z.infer<typeof killReportSchema>;
