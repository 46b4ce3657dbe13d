import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { timeSchema } from "./primitives.ts";

/** Kinds of evidence that all processes of a job have ended. */
export const KILL_EVIDENCE = ["scans", "cgroup", "groups", "containers", "slurm", "tes"] as const;
export type KillEvidence = (typeof KILL_EVIDENCE)[number];

/** How Weft ended the processes of a job, with the evidence that all of them have ended. */
export const killReportSchema = namedObject("KillReport", {
  asked_at: timeSchema.describe("When Weft first asked the processes to exit"),
  signals: z
    .array(z.enum(["SIGTERM", "SIGKILL"]))
    .describe("Signals in the order of sending; empty if no process was left"),
  processes_found: z.int().min(0).describe("Number of processes and containers of the job"),
  processes_killed: z.int().min(0).describe("Number that did not exit within the grace period"),
  confirmed_at: timeSchema.nullable().describe("When none was left; null while unproven"),
  evidence: z
    .array(z.enum(KILL_EVIDENCE))
    .describe(
      "`scans`: three scans in a row found no process of the job; `cgroup`: the kernel reports that the job's control group is empty; `groups`: its process group is gone (systems without /proc); `containers`: the container engine lists none; `slurm`: three queries in a row found no task of the job in the queue; `tes`: the TES server reports that the job's task has finished, or three times in a row that it has none",
    ),
});
export type KillReport = z.infer<typeof killReportSchema>;
