import { z } from "zod";
import { durationMsSchema, timeSchema } from "./primitives.ts";

export const CHECK_IDS = [
  "node",
  "account",
  "limits",
  "clock",
  "disk",
  "state-folder",
  "temporary-folder",
  "port",
  "proxy",
  "browser",
  "launcher",
  "control-groups",
  "sandbox",
  "containers",
  "slurm",
  "tes",
] as const;
export type CheckId = (typeof CHECK_IDS)[number];

export const CHECK_STATES = ["ok", "warning", "failed"] as const;

export const machineCheckSchema = z
  .object({
    id: z.enum(CHECK_IDS),
    title: z.string(),
    state: z.enum(CHECK_STATES).meta({
      description: "`warning`: Weft works without it; `failed`: Weft cannot start, or cannot do what its options say",
    }),
    detail: z.string().meta({ description: "Capabilities of this machine, or missing ones" }),
    fix: z.string().nullable().meta({ description: "A command that helps; null if the state is `ok`" }),
    duration_ms: durationMsSchema,
  })
  .meta({ id: "MachineCheck" });
export type MachineCheck = z.infer<typeof machineCheckSchema>;

/** The findings of `weft doctor`. */
export const machineReportSchema = z
  .object({
    version: z.string().meta({ description: "Version of Weft" }),
    time: timeSchema,
    platform: z.string().meta({ description: "Operating system and processor", examples: ["linux x64"] }),
    state_folder: z.string().meta({ description: "Absolute path" }),
    checks: z.array(machineCheckSchema).meta({ description: "Each with its result" }),
  })
  .meta({ id: "MachineReport" });
export type MachineReport = z.infer<typeof machineReportSchema>;
